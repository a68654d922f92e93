/// Values of the swept parameters as the formulas need them, by code.
#pragma once

#include <optional>
#include <vector>

#include "models/evidence.hpp"
#include "models/kernels/serving_software.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/system.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/serving/points/published.hpp"
#include "models/transformer/architecture.hpp"
#include "models/trust.hpp"

namespace dfsweep::serving {

using PointCodes = CodeColumns<Parameter>;

struct DecodedValues {
  std::vector<Architecture> models;                 ///< [code of model]
  std::vector<std::optional<Architecture>> drafts;  ///< [code of draft_model]
  std::vector<std::optional<System>> systems;       ///< [code of system]; nothing: not given
  std::vector<std::optional<Device>> devices;       ///< likewise
  std::vector<std::optional<Memory>> memories;
  std::vector<std::optional<Interconnect>> interconnects;
  std::vector<std::optional<Trust>> trusts;  ///< [code of software]
  EvidenceTable evidence;
  std::vector<std::optional<ServingSoftware>> software;  ///< [code of software]; nothing: that of all stacks
  DecodedNumbers<Parameter> numbers;                     ///< NaN for "best" too
};

/// Whether measured tables are given.
[[nodiscard]] bool has_profiles(const SweepValues& values);

/// Throws InvalidValues.
[[nodiscard]] DecodedValues decode_values(const SweepValues& values);
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

/// The values of one point by parameter.
using PointValues = PointNumbers<Parameter>;

}  // namespace dfsweep::serving
