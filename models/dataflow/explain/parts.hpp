/// What the parts of an explanation share: a mapped point, and what its partitions do.
#pragma once

#include <string>
#include <vector>

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/step.hpp"
#include "models/explanation.hpp"

namespace dfsweep::dataflow {

/// A point whose mapping is known, feasible or not. The members outlive it.
struct ExplainedMapping {
  const Layout& layout;
  const MappedWorkload& mapped;
  const Convention& convention;
  const StepInputs& inputs;
  const hardware::Device& device;
  const PartitionModel& partitions;
  const Step& step;
  std::vector<const Schedule*>
      schedules;  ///< those that the step uses, [stage]; one where stages do not share the graph

  [[nodiscard]] const Workload& workload() const { return partitions.workload(); }
  [[nodiscard]] const Graph& graph() const { return workload().graph; }
  [[nodiscard]] bool has_stages() const { return !mapped.stages.empty(); }
  /// Index into `schedules`.
  [[nodiscard]] std::size_t stage_of(std::size_t partition) const;
};

/// The schedules that a step uses, or the most frugal ones where none fit; [stage]. Empty where the cycle model has no
/// cores for some partition.
[[nodiscard]] std::vector<const Schedule*> schedules_in_use(const MappedWorkload& mapped, const StepInputs& inputs,
                                                            const Step& step);

enum class Bound : std::uint8_t { compute, memory, network };

[[nodiscard]] std::string name_of(Bound bound);

struct ExplainedPartition {
  std::vector<std::size_t> kernels;  ///< producers first
  PartitionTimes times;              ///< of one pass
  Bound bound = Bound::compute;      ///< the longest of the three times; compute, then memory, on ties
  Bytes sram;                        ///< in use while it runs, weights that stay on the chip included
};

/// In the order of execution.
[[nodiscard]] std::vector<ExplainedPartition> explained_partitions(const ExplainedMapping& at);

/// The stages of a pipeline that share the graph, with what they take and what binds them. Pre: at.has_stages().
[[nodiscard]] Explanation explain_stages(const ExplainedMapping& at);

/// The partitions with what they take and what binds them.
[[nodiscard]] Explanation explain_partitions(const ExplainedMapping& at);

/// Every tensor, and whether it stays on the chip.
[[nodiscard]] Explanation explain_tensors(const ExplainedMapping& at);

}  // namespace dfsweep::dataflow
