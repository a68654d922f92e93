/// Bisection over the time of the slowest stage.
#include "models/dataflow/search/stage_search.hpp"

#include <algorithm>

#include "models/dataflow/search/stage_decision.hpp"

namespace dfsweep::dataflow {

namespace {

struct Cut {
  Ticks slowest = int_infinity;
  std::vector<KernelSet> stages;
};

/// A topological order; `pick` selects among the ready kernels the lowest one or the one that became ready last.
template <class Pick>
std::vector<std::size_t> order_of(const StageInstance& instance, Pick pick) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> ready;
  KernelSet done = 0;
  KernelSet seen = 0;
  while (order.size() < instance.kernels) {
    for (std::size_t k = 0; k < instance.kernels; ++k)
      if (!contains(seen, just(k)) && contains(done, instance.predecessors[k])) {
        ready.push_back(k);
        seen |= just(k);
      }
    const auto chosen = pick(ready);
    order.push_back(*chosen);
    done |= just(*chosen);
    ready.erase(chosen);
  }
  return order;
}

/// The optimal cut of an order into consecutive stages, by dynamic programming.
class StageCut {
 public:
  StageCut(const StageInstance& instance, const std::vector<std::size_t>& order) : instance_(instance), order_(order) {
    for (const std::size_t k : order) {
      work_.push_back(work_.back() + instance.work[k]);
      held_.push_back(held_.back() + instance.held[k]);
      sending_.push_back(sending_.back() - instance.arriving[k] + instance.leaving[k]);
    }
  }

  Cut best() const {
    const std::size_t n = order_.size();
    std::vector<std::vector<Ticks>> slowest(instance_.stages + 1, std::vector<Ticks>(n + 1, int_infinity));
    std::vector<std::vector<std::size_t>> from(instance_.stages + 1, std::vector<std::size_t>(n + 1, 0));
    slowest[0][0] = 0;
    for (std::size_t s = 1; s <= instance_.stages; ++s)
      for (std::size_t last = s; last <= n; ++last)
        for (std::size_t first = s - 1; first < last; ++first) {
          const Ticks time = std::max(slowest[s - 1][first], time_of(first, last));
          if (time >= slowest[s][last]) continue;
          slowest[s][last] = time;
          from[s][last] = first;
        }
    Cut cut;
    std::size_t used = 0;
    for (std::size_t s = 1; s <= instance_.stages; ++s)
      if (slowest[s][n] < cut.slowest) {
        cut.slowest = slowest[s][n];
        used = s;
      }
    for (std::size_t last = n; used > 0; --used) {
      const std::size_t first = from[used][last];
      KernelSet inside = 0;
      for (std::size_t position = first; position < last; ++position) inside |= just(order_[position]);
      cut.stages.insert(cut.stages.begin(), inside);
      last = first;
    }
    return cut;
  }

 private:
  Ticks time_of(std::size_t first, std::size_t last) const {
    if (held_[last] - held_[first] > instance_.capacity) return int_infinity;
    return instance_.time(work_[last] - work_[first], sending_[last]);
  }

  const StageInstance& instance_;
  const std::vector<std::size_t>& order_;
  std::vector<StageWork> work_{StageWork{}};  ///< [position] prefix sums: work of the kernels before it
  std::vector<WholeBytes> held_{0};
  std::vector<Sending> sending_{Sending{}};
};

Cut first_cut(const StageInstance& instance) {
  using Ready = std::vector<std::size_t>;
  const auto lowest_ready =
      order_of(instance, [](Ready& ready) { return std::min_element(ready.begin(), ready.end()); });
  const auto latest_ready = order_of(instance, [](Ready& ready) { return ready.end() - 1; });
  Cut cut = StageCut(instance, lowest_ready).best();
  Cut other = StageCut(instance, latest_ready).best();
  return other.slowest < cut.slowest ? other : cut;
}

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

StageSearchResult best_stages(const StageProblem& problem, std::int64_t node_limit) {
  const StageInstance instance(problem);
  Cut best = first_cut(instance);
  Ticks lower = instance.least_time();
  StageSearchResult result;
  const auto decide = [&](Ticks time) {
    StageDecision decision = decide_stages(instance, time, std::max<std::int64_t>(node_limit - result.nodes, 0));
    result.nodes += decision.nodes;
    return decision;
  };
  bool limited = false;
  for (bool is_first = true; lower < best.slowest && !limited; is_first = false) {
    const Ticks time = next_question(lower, best.slowest, is_first);
    StageDecision decision = decide(time);
    if (decision.verdict == StageDecision::Verdict::possible)
      best = {slowest_of(instance, decision.stages), std::move(decision.stages)};
    else if (decision.verdict == StageDecision::Verdict::impossible)
      lower = std::max(time + 1, decision.next);
    limited = decision.verdict == StageDecision::Verdict::unknown;
  }
  if (best.stages.empty()) {
    result.outcome = limited ? SearchOutcome::unresolved : SearchOutcome::infeasible;
    return result;
  }
  if (!limited) {  // the solution required by the tie rule
    StageDecision decision = decide(best.slowest);
    if (decision.verdict == StageDecision::Verdict::possible) best.stages = std::move(decision.stages);
  }
  result.stage.resize(instance.kernels);
  for (std::size_t s = 0; s < best.stages.size(); ++s)
    for (KernelSet rest = best.stages[s]; rest != 0; rest &= rest - 1) result.stage[lowest(rest)] = s;
  result.time = slowest_stage(problem, result.stage);
  result.outcome = limited ? SearchOutcome::limited : SearchOutcome::optimal;
  result.bound = result.time;
  if (limited) result.bound = std::min(result.time, Seconds{static_cast<double>(lower) * instance.seconds_per_tick});
  if (result.time > Seconds{}) result.gap = 1.0 - result.bound / result.time;
  return result;
}

}  // namespace dfsweep::dataflow
