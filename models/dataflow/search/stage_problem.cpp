/// Definition of the time of a pipeline stage and of a step.
#include "models/dataflow/search/stage_problem.hpp"

#include <algorithm>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

StageUse use_of(const StageProblem& problem, KernelSet before, KernelSet inside) {
  StageUse use;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    if (!holds(inside, k)) continue;
    use.compute += problem.kernels[k].compute;
    use.memory += problem.kernels[k].memory;
    use.network += problem.kernels[k].network;
    use.held += problem.kernels[k].held;
    use.gradients += problem.kernels[k].gradients;
  }
  Bytes sent;
  for (const StageEdge& edge : problem.edges)
    if (holds(before | inside, edge.source) && !holds(before | inside, edge.destination)) sent += edge.bytes;
  if (sent > Bytes{}) use.transfer = sent / problem.link_bandwidth + problem.link_latency;
  const double busy = combined(problem.overlap, use.compute.value(), use.memory.value(), use.network.value());
  use.time = Seconds{stage_time(problem.overlap, busy, use.transfer.value())};
  return use;
}

std::vector<StageUse> uses_of(const StageProblem& problem, const StageOfKernel& stage) {
  DFSWEEP_EXPECT(stage.size() == problem.kernels.size());
  std::vector<StageUse> uses;
  KernelSet before = 0;
  for (const KernelSet inside : partitions_of(stage)) {
    uses.push_back(use_of(problem, before, inside));
    before |= inside;
  }
  return uses;
}

Seconds slowest_stage(const StageProblem& problem, const StageOfKernel& stage) {
  Seconds slowest;
  for (const StageUse& use : uses_of(problem, stage)) slowest = std::max(slowest, use.time);
  return slowest;
}

Seconds step_of_stages(const StageProblem& problem, const StageOfKernel& stage) {
  Seconds slowest;
  Seconds sum;
  Seconds gradients;
  for (const StageUse& use : uses_of(problem, stage)) {
    slowest = std::max(slowest, use.time);
    sum += use.time;
    gradients = std::max(gradients, use.gradients);
  }
  return (problem.passes - problem.micro_batch) * slowest + problem.micro_batch * sum + gradients;
}

bool is_feasible(const StageProblem& problem, const StageOfKernel& stage) {
  for (const StageEdge& edge : problem.edges)
    if (stage[edge.source] > stage[edge.destination]) return false;
  const std::vector<StageUse> uses = uses_of(problem, stage);
  return uses.size() <= problem.stages && std::all_of(uses.begin(), uses.end(), [&problem](const StageUse& use) {
           return use.held <= problem.capacity;
         });
}

}  // namespace dfsweep::dataflow
