/// Stage partitions: the fastest partitions of the kernels of one pipeline stage.
#pragma once

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/mapping/best_mapping.hpp"

namespace dfsweep::dataflow {

/// One stage of a graph that is shared out over stages.
struct StageKernels {
  KernelSet inside = 0;
  const ChipShare* share = nullptr;  ///< of the stage, with any mapping and all that it holds
  Bytes alive;                       ///< tensors that reach, leave or pass through it
};

/// `problem` for the kernels `inside` alone: a tensor with one end among them is traffic and SRAM of that kernel.
/// Kernels keep their order.
[[nodiscard]] PartitionProblem restricted_to(const PartitionProblem& problem, KernelSet inside);

/// The fastest partitions of a stage, exact over the place of its weights (resident first on a tie).
/// `mapping.assignment`: [kernel of the stage, ascending]. Pre: request as in best_mapping; num_tile is 0 or 1.
[[nodiscard]] BestMapping best_stage_partitions(const PartitionModel& model, const PointRates& point,
                                                const hardware::Device& device, const MappingRequest& request,
                                                const StageKernels& stage);

}  // namespace dfsweep::dataflow
