/// Staged mapping: assigns the kernels of a graph to pipeline stages and maps each stage, where the stages share the
/// graph.
#pragma once

#include "models/dataflow/cost/step.hpp"
#include "models/dataflow/mapping/mapped_stages.hpp"

namespace dfsweep::dataflow {

/// Assigns the kernels to stages so that the step takes as little time as possible (best_stages), then maps every
/// stage. Where none of these stages hold their data and their tensors, those with the fastest slowest stage are tried.
///
/// For `kernel_by_kernel` and `given`, stages and mappings are optimised jointly, because the time of a part does not
/// depend on its stage, except for weights that may stay in SRAM. For `single_partition` and `best` the stages are
/// chosen first: once by lower bounds over all mappings, once by the times of single kernels. Each choice is tried with
/// weights in SRAM and in DRAM; the fastest wins, the first on a tie. optimality_gap is the proven relative distance of
/// the step from the joint optimum of stages and mappings.
///
/// Stages must hold their weights. Where the live tensors do not fit beside them, stages that leave room for these
/// tensors are tried, at most twice.
///
/// A stage holds the weights of its kernels, and gradients and optimizer state for its forward kernels. Tensors that
/// enter, leave or pass through the stage are alive all the time. Limits on partitions apply to each stage.
/// Pre: layout.stages_per_graph > 1; request.convention is known.
[[nodiscard]] MappedWorkload staged_workload(const PartitionModel& model, const Layout& layout,
                                             const StepInputs& inputs, const Device& device,
                                             const MappingRequest& request, InsideStage inside);

}  // namespace dfsweep::dataflow
