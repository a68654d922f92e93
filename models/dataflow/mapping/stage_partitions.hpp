/// Stage partitions: the fastest partitioning of the kernels of one pipeline stage.
#pragma once

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/mapping/best_mapping.hpp"

namespace dfsweep::dataflow {

/// One stage of a graph that is divided among stages.
struct StageKernels {
  KernelSet inside = 0;
  const ChipShare* share = nullptr;  ///< amounts and memory of the stage, with an arbitrary mapping
  Bytes alive;                       ///< tensors that enter, leave or pass through the stage
};

/// `problem` restricted to the kernels `inside`. A tensor with one end inside becomes traffic and SRAM of that kernel.
/// Kernels keep their order.
[[nodiscard]] PartitionProblem restricted_to(const PartitionProblem& problem, KernelSet inside);

/// The fastest partitioning of a stage, exact over numbers of tiles and the place of its weights (ties as in
/// best_mapping()). `mapping.assignment`: [kernel of the stage, ascending]. Pre: request as in best_mapping.
[[nodiscard]] BestMapping best_stage_partitions(const PartitionModel& model, const PointRates& point,
                                                const Device& device, const MappingRequest& request,
                                                const StageKernels& stage);

}  // namespace dfsweep::dataflow
