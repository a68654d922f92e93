/// DecodedValues: the values of a sweep's parameters as the model uses them, by code.
#pragma once

#include <optional>
#include <vector>

#include "models/dataflow/cost/step.hpp"
#include "models/dataflow/points/published.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/mapping.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep::dataflow {

/// The mapping of a parameter value: a named rule or a mapping of the user.
struct MappingValue {
  enum class Kind : std::uint8_t { kernel_by_kernel, single_partition, best, given };
  Kind kind = Kind::kernel_by_kernel;
  GivenMapping given;
};

/// Each member is indexed by the codes of the parameter with its name.
struct DecodedValues {
  std::vector<Device> devices;
  std::vector<Memory> memories;
  std::vector<Interconnect> interconnects;
  std::vector<std::optional<Interconnect>> outer_interconnects;  ///< empty: as `interconnects`
  std::vector<Topology> topologies;
  std::vector<Shape> shapes;
  std::vector<const Convention*> conventions;
  std::vector<MappingValue> mappings;
  std::vector<Overlap> overlaps;
  std::vector<std::optional<SramAccounting>> sram_accountings;
  std::vector<std::optional<SinkSharding>> sink_shardings;
  EnumArray<Parameter, std::vector<double>> numbers;  ///< [parameter][code]; NaN where absent
  bool some_cycle_model = false;                      ///< some point has compute_utilization = 0
  bool some_least_time = false;                       ///< some point has sharding = least_time
  bool some_best_mapping = false;                     ///< some point has mapping = best
  bool some_stages = false;                           ///< at some point stages may share a graph
};

/// Decodes the values of all parameters and checks that every model is a workload. Throws InvalidValues.
[[nodiscard]] DecodedValues decode_values(const SweepValues& values);

/// The problems of decode_values for an incomplete sweep (Estimator::problems_of).
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

}  // namespace dfsweep::dataflow
