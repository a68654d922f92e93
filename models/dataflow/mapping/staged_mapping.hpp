/// Staged mapping: which stage of a pipeline executes each kernel of a graph, and how, where the stages share the
/// graph.
#pragma once

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/step.hpp"

namespace dfsweep::dataflow {

/// How the kernels of a stage are executed by its chips.
enum class InsideStage : std::uint8_t {
  kernel_by_kernel,
  single_partition,
  best,   ///< in the fastest partitions, searched for stage by stage
  given,  ///< in the partitions of request.assignment, which stay whole and in their order
};

/// Shares out the kernels so that the slowest stage is as fast as can be (best_stages), then maps every stage.
///
/// Stages and what happens inside them are chosen jointly for `kernel_by_kernel` and `given`, where the time of a part
/// does not depend on the stage that it lies in, but for weights that may stay in SRAM. For `single_partition` and
/// `best` the stages come first: by sums that no mapping inside them goes below, and by the times of kernels in turn.
/// Each is tried with weights in SRAM and in DRAM; the fastest stays, the first on a tie. Whatever is not joint is in
/// optimality_gap: the proven relative distance of the slowest stage from the best of all stages and mappings inside.
///
/// Stages must hold their weights; where the tensors alive then do not fit beside them, stages that leave room for as
/// many are tried, twice at most.
///
/// A stage holds weights for each of its kernels, gradients and optimizer state beside the weights of forward ones; the
/// tensors that reach, leave or pass through it are alive all the time. Limits on partitions are for each stage.
/// Pre: layout.stages_per_graph > 1; request.convention is known.
[[nodiscard]] MappedWorkload staged_workload(const PartitionModel& model, const Layout& layout,
                                             const StepInputs& inputs, const hardware::Device& device,
                                             const MappingRequest& request, InsideStage inside);

}  // namespace dfsweep::dataflow
