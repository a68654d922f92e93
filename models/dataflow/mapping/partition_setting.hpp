/// Partition setting: the partition problem of a sharded workload on a system.
#pragma once

#include "models/dataflow/cost/rates.hpp"
#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

/// Place of the weights of a stage between passes.
enum class WeightPlace : std::uint8_t {
  dram,      ///< read from DRAM as the convention defines, in SRAM while their partition runs
  resident,  ///< all stay in SRAM, which leaves less SRAM for the partitions
};

/// Rules of the partition problem in addition to the rates of the point.
struct PartitionSetting {
  double num_tile = 1.0;
  WeightPlace weights = WeightPlace::dram;
  PassMixing mixing = PassMixing::free;
  CountRule count_rule = CountRule::any;
  std::size_t count = 0;
};

/// The problem whose time_of() is the time of one pass over the graph in step_of(), whose SRAM and DRAM limits are
/// those of step_of(). `base`: an arbitrary mapping of the same workload. Pre: the point is possible (layout, batches);
/// inputs.compute_utilization > 0 or device has cores.
[[nodiscard]] PartitionProblem partition_problem_of(const PartitionModel& model, const MappedWorkload& base,
                                                    const Layout& layout, const Convention& convention,
                                                    const StepInputs& inputs, const Device& device,
                                                    const PartitionSetting& setting);

}  // namespace dfsweep::dataflow
