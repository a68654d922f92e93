/// The step of pipeline stages: a bound on the slowest stage, known solutions, and the exact search below them.
#include "models/dataflow/search/stage_search.hpp"

#include <algorithm>

#include "models/dataflow/search/stage_cut.hpp"
#include "models/dataflow/search/stage_steps.hpp"

namespace dfsweep::dataflow {

namespace {

/// The same problem with the kernels in this order.
StageInstance in_order(StageInstance instance, const KernelOrder& order) {
  instance.predecessors = {};
  for (std::size_t i = 1; i < order.size(); ++i) instance.predecessors[order[i]] = just(order[i - 1]);
  instance.symmetric.clear();
  return instance;
}

/// Kernels stage by stage, inside each by `order`.
KernelOrder sorted_by_stage(KernelOrder order, const StageOfKernel& stage) {
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stage[a] < stage[b]; });
  return order;
}

class ShortestStep {
 public:
  ShortestStep(const StageInstance& instance, std::int64_t node_limit)
      : instance_(instance), limit_(node_limit), least_slowest_(instance.least_time()) {}

  void solve() {
    // A share of the nodes for each part, so that the exact search has at least half of them.
    if (instance_.later_micro_batches > 0.0)
      take_balance(limit_ / 4);
    else
      know(first_cut(instance_).stages);
    if (is_infeasible_) return;
    for (const KernelOrder& order : stage_orders(instance_)) {
      search(in_order(instance_, order), limit_ / 16);
      if (!best_.stages.empty())
        search(in_order(instance_, sorted_by_stage(order, stage_of_kernels(best_.stages, instance_.kernels))),
               limit_ / 16);
    }
    bound_ = search(instance_, limit_ - nodes_);
  }

  /// A lower bound on the step of all solutions; infinite where no solution exists.
  [[nodiscard]] double bound() const { return bound_; }
  [[nodiscard]] const StageSteps& best() const { return best_; }
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  [[nodiscard]] bool is_proven() const { return bound_ >= best_.step; }

 private:
  void take_balance(std::int64_t node_limit) {
    StageBalance balance = balance_of(instance_, node_limit);
    nodes_ += balance.nodes;
    least_slowest_ = balance.bound;
    is_infeasible_ = balance.stages.empty() && !balance.limited;
    know(std::move(balance.stages));
  }

  void know(std::vector<KernelSet> stages) {
    if (!stages.empty()) best_ = steps_of(instance_, std::move(stages));
  }

  /// A lower bound on the steps of all solutions of `instance`.
  double search(const StageInstance& instance, std::int64_t node_limit) {
    StageStepSearch found = shortest_step(instance, least_slowest_, best_, node_limit);
    nodes_ += found.nodes;
    best_ = std::move(found.best);
    return found.bound;
  }

  const StageInstance& instance_;
  std::int64_t limit_;
  Ticks least_slowest_;
  StageSteps best_;
  std::int64_t nodes_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
  bool is_infeasible_ = false;
};

}  // namespace

StageSearchResult best_stages(const StageProblem& problem, std::int64_t node_limit) {
  const StageInstance instance(problem);
  ShortestStep search(instance, node_limit);
  search.solve();
  StageSearchResult result;
  result.nodes = search.nodes();
  if (search.best().stages.empty()) {
    result.outcome = search.is_proven() ? SearchOutcome::infeasible : SearchOutcome::unresolved;
    return result;
  }
  result.stage = stage_of_kernels(search.best().stages, instance.kernels);
  result.time = step_of_stages(problem, result.stage);
  result.outcome = search.is_proven() ? SearchOutcome::optimal : SearchOutcome::limited;
  result.bound = result.time;
  if (!search.is_proven())
    result.bound = std::min(result.time, Seconds{search.bound() * instance.seconds_per_tick * problem.micro_batch});
  if (result.time > Seconds{}) result.gap = 1.0 - result.bound / result.time;
  return result;
}

}  // namespace dfsweep::dataflow
