/// Bisection over the time of the slowest stage.
#include "models/dataflow/search/stage_balance.hpp"

#include <algorithm>

#include "models/dataflow/search/stage_cut.hpp"
#include "models/dataflow/search/stage_decision.hpp"

namespace dfsweep::dataflow {

namespace {

Ticks slowest_of(const StageInstance& instance, const std::vector<KernelSet>& stages) {
  Ticks slowest = 0;
  Sending sending;
  for (const KernelSet inside : stages) {
    StageWork work{};
    for (KernelSet rest = inside; rest != 0; rest &= rest - 1) {
      work = work + instance.work[lowest(rest)];
      sending = sending - instance.arriving[lowest(rest)] + instance.leaving[lowest(rest)];
    }
    slowest = std::max(slowest, instance.time(work, sending));
  }
  return slowest;
}

/// The next time to test in the bisection: first the lower end, which is often attained; then the middle; finally just
/// below the best, which proves optimality.
Ticks next_question(Ticks lower, Ticks upper, bool is_first) {
  constexpr int fine = 10;
  if (is_first) return lower;
  return upper - lower > upper >> fine ? lower + (upper - lower) / 2 : upper - 1;
}

}  // namespace

StageBalance balance_of(const StageInstance& instance, std::int64_t node_limit) {
  StageBalance balance;
  StageCut best = first_cut(instance);
  balance.bound = instance.least_time();
  const auto decide = [&](Ticks time) {
    StageDecision decision = decide_stages(instance, time, std::max<std::int64_t>(node_limit - balance.nodes, 0));
    balance.nodes += decision.nodes;
    return decision;
  };
  for (bool is_first = true; balance.bound < best.slowest && !balance.limited; is_first = false) {
    const Ticks time = next_question(balance.bound, best.slowest, is_first);
    StageDecision decision = decide(time);
    if (decision.verdict == StageDecision::Verdict::possible)
      best = {slowest_of(instance, decision.stages), std::move(decision.stages)};
    else if (decision.verdict == StageDecision::Verdict::impossible)
      balance.bound = std::max(time + 1, decision.next);
    balance.limited = decision.verdict == StageDecision::Verdict::unknown;
  }
  if (!balance.limited && !best.stages.empty()) {  // the solution required by the tie rule
    StageDecision decision = decide(best.slowest);
    if (decision.verdict == StageDecision::Verdict::possible) best.stages = std::move(decision.stages);
  }
  balance.stages = std::move(best.stages);
  return balance;
}

StageOfKernel stage_of_kernels(const std::vector<KernelSet>& stages, std::size_t kernels) {
  StageOfKernel stage(kernels);
  for (std::size_t s = 0; s < stages.size(); ++s)
    for (KernelSet rest = stages[s]; rest != 0; rest &= rest - 1) stage[lowest(rest)] = s;
  return stage;
}

StageSearchResult balanced_stages(const StageProblem& problem, std::int64_t node_limit) {
  const StageInstance instance(problem);
  const StageBalance balance = balance_of(instance, node_limit);
  StageSearchResult result;
  result.nodes = balance.nodes;
  if (balance.stages.empty()) {
    result.outcome = balance.limited ? SearchOutcome::unresolved : SearchOutcome::infeasible;
    return result;
  }
  result.stage = stage_of_kernels(balance.stages, instance.kernels);
  result.time = slowest_stage(problem, result.stage);
  result.outcome = balance.limited ? SearchOutcome::limited : SearchOutcome::optimal;
  result.bound = result.time;
  if (balance.limited)
    result.bound = std::min(result.time, Seconds{static_cast<double>(balance.bound) * instance.seconds_per_tick});
  if (result.time > Seconds{}) result.gap = 1.0 - result.bound / result.time;
  return result;
}

}  // namespace dfsweep::dataflow
