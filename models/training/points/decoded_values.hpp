/// Values of the swept parameters as points need them, by code.
#pragma once

#include <optional>
#include <vector>

#include "models/evidence.hpp"
#include "models/kernels/capabilities.hpp"
#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/system.hpp"
#include "models/machine/topology.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/training/points/published.hpp"
#include "models/transformer/architecture.hpp"
#include "models/trust.hpp"

namespace dfsweep::training {

struct DecodedValues {
  std::vector<Architecture> models;            ///< [code of model]
  std::vector<double> sequence_lengths;        ///< of the models; NaN: unknown
  std::vector<double> global_batches;          ///< of the models; NaN: unknown
  std::vector<std::optional<System>> systems;  ///< [code of system]; nothing: built of what follows
  std::vector<std::optional<Device>> devices;
  std::vector<std::optional<Memory>> memories;
  std::vector<std::optional<Interconnect>> interconnects;        ///< [code of interconnect]
  std::vector<std::optional<Interconnect>> outer_interconnects;  ///< nothing: as inside a node
  std::vector<std::optional<Topology>> topologies;               ///< [code of topology]
  std::vector<Shape> shapes;                                     ///< [code of shape]; without sizes: not given
  std::vector<std::optional<Software>> software;                 ///< [code of software]; nothing: that of all stacks
  std::vector<std::optional<Trust>> trusts;                      ///< [code of software]
  std::vector<std::optional<Capabilities>> capabilities;         ///< [code of software]; nothing: unknown
  EvidenceTable evidence;
  std::vector<std::optional<StateBytes>> state_bytes;  ///< [code of state_bytes]; nothing: by sharding
  DecodedNumbers<Parameter> numbers;
};

/// "2/4/12": bytes of weight, gradient and optimizer state. Nothing if the text has another form.
[[nodiscard]] std::optional<StateBytes> state_bytes_of(std::string_view text);

/// Throws InvalidValues.
[[nodiscard]] DecodedValues decoded_values(const SweepValues& values);
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

}  // namespace dfsweep::training
