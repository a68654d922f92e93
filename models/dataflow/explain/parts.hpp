/// Shared parts of explanations: a mapped point and its partitions.
#pragma once

#include <string>
#include <vector>

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/step.hpp"
#include "models/explanation.hpp"

namespace dfsweep::dataflow {

/// A point with a known mapping, feasible or not. The referenced objects outlive it.
struct ExplainedMapping {
  const Layout& layout;
  const MappedWorkload& mapped;
  const Convention& convention;
  const StepInputs& inputs;
  const Device& device;
  const PartitionModel& partitions;
  const Step& step;
  std::vector<const Schedule*>
      schedules;  ///< [stage] schedules in use; one element where stages do not share the graph

  [[nodiscard]] const Workload& workload() const { return partitions.workload(); }
  [[nodiscard]] const Graph& graph() const { return workload().graph; }
  [[nodiscard]] bool has_stages() const { return !mapped.stages.empty(); }
  /// Index into `schedules`.
  [[nodiscard]] std::size_t stage_of(std::size_t partition) const;
};

/// [stage] The schedules that a step uses, or those with the least SRAM where none fits. Empty where the cycle model
/// has too few cores for a partition.
[[nodiscard]] std::vector<const Schedule*> schedules_in_use(const MappedWorkload& mapped, const StepInputs& inputs,
                                                            const Step& step);

enum class Bound : std::uint8_t { compute, memory, network };

[[nodiscard]] std::string name_of(Bound bound);

struct ExplainedPartition {
  std::vector<std::size_t> kernels;  ///< in topological order
  PartitionTimes times;              ///< per pass
  Bound bound = Bound::compute;      ///< the longest of the three times; compute, then memory, on ties
  Bytes sram;                        ///< SRAM in use while it runs, including resident weights
};

/// The partitions in the order of execution.
[[nodiscard]] std::vector<ExplainedPartition> explained_partitions(const ExplainedMapping& at);

/// Table of the stages that share the graph, with their times and bottlenecks. Pre: at.has_stages().
[[nodiscard]] Explanation explain_stages(const ExplainedMapping& at);

/// Table of the partitions with their times and bottlenecks.
[[nodiscard]] Explanation explain_partitions(const ExplainedMapping& at);

/// Table of all tensors and where each is stored.
[[nodiscard]] Explanation explain_tensors(const ExplainedMapping& at);

}  // namespace dfsweep::dataflow
