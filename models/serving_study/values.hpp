/// Values of the swept parameters as the formulas of the study need them, by code.
#pragma once

#include <optional>
#include <vector>

#include "models/machine/hardware.hpp"
#include "models/machine/topology.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/serving_study/published.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::serving_study {

struct DecodedValues {
  std::vector<Architecture> models;                        ///< [code of model]
  std::vector<std::optional<Architecture>> drafts;         ///< [code of draft_model]; nothing: not given
  std::vector<Device> devices;                             ///< [code of device]
  std::vector<std::optional<Memory>> memories;             ///< [code of memory]; nothing: not given
  std::vector<std::optional<Interconnect>> interconnects;  ///< likewise
  std::vector<std::optional<Topology>> topologies;
  DecodedNumbers<Parameter> numbers;
};

/// Throws InvalidValues.
[[nodiscard]] DecodedValues decode_values(const SweepValues& values);
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

/// Codes of a block of points, and the values of one of them, by parameter.
using PointCodes = CodeColumns<Parameter>;
using PointValues = PointNumbers<Parameter>;

}  // namespace dfsweep::serving_study
