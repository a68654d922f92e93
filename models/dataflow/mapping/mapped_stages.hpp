/// Mapped stages: the partitions and amounts of every stage of a pipeline whose stages share the kernels of a graph.
#pragma once

#include <string>

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// How the chips of a stage execute its kernels.
enum class InsideStage : std::uint8_t {
  kernel_by_kernel,
  single_partition,
  best,   ///< in the fastest partitions, searched separately for each stage
  given,  ///< in the partitions of request.assignment, which stay whole and keep their order
};

/// Maps the kernels of every stage. `problem` of the result says why that is impossible; where a stage is too large for
/// SRAM or DRAM, `shortage` names it, and its kernels run one after the other. `stage`: [kernel], from 0 without gaps.
/// Pre: request.assignment has the partitions where `inside` is `given`.
[[nodiscard]] MappedWorkload mapped_stages(const PartitionModel& model, const PointRates& point, const Device& device,
                                           const MappingRequest& request, InsideStage inside,
                                           const StageOfKernel& stage);

/// A workload that has no mapping because of `problem`.
[[nodiscard]] MappedWorkload unmapped(std::string problem);

}  // namespace dfsweep::dataflow
