/// A* over sets of finished kernels.
#include "models/dataflow/search/partition_search.hpp"

#include <algorithm>
#include <optional>

#include "models/dataflow/search/partition_bound.hpp"
#include "models/dataflow/search/partition_expansion.hpp"
#include "models/dataflow/search/partition_incumbent.hpp"
#include "models/dataflow/search/partition_states.hpp"

namespace dfsweep::dataflow {

namespace {

/// A state to expand. The order is total, so the search is deterministic.
struct Open {
  Ticks bound;
  Ticks reached;
  KernelSet done;
  std::uint32_t state;
  int finished;  ///< number of kernels in `done`

  /// Order for a heap whose top is the next state to expand.
  friend bool operator<(const Open& a, const Open& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    if (a.finished != b.finished) return a.finished < b.finished;
    if (a.done != b.done) return a.done > b.done;
    return a.state > b.state;
  }
};

/// The set with executed sinks exchanged for symmetric ready sinks of lower number; the remaining problem is the same.
/// `ready`: sinks that were ready before or while the last partition was grown; all ready sinks where any was executed.
KernelSet canonical(const PartitionInstance& instance, KernelSet done, KernelSet ready) {
  for (const KernelSet members : instance.interchangeable) {
    KernelSet candidates = (done | ready) & members;
    KernelSet executed = done & members;
    done &= ~members;
    for (; executed != 0; executed &= executed - 1, candidates &= candidates - 1) done |= candidates & -candidates;
  }
  return done;
}

/// Limit on partitions evaluated to improve a first mapping, about one second.
constexpr std::int64_t most_for_orders = 4'000'000;

/// Names of kernels in the canonical set.
using Names = std::array<std::uint8_t, most_kernels>;
Names renamed(const PartitionInstance& instance, KernelSet raw, KernelSet renamed_set, const Names& names) {
  Names next = names;
  for (const KernelSet members : instance.symmetric) {
    if (is_single(members)) continue;
    KernelSet ready = 0;
    for (KernelSet rest = members; rest != 0; rest &= rest - 1)
      if (contains(raw, instance.predecessors[lowest(rest)])) ready |= rest & -rest;
    for (const auto& [from, to] : {std::pair{ready & raw, ready & renamed_set}, {ready & ~raw, ready & ~renamed_set}})
      for (KernelSet f = from, t = to; f != 0; f &= f - 1, t &= t - 1) next[lowest(t)] = names[lowest(f)];
  }
  return next;
}

}  // namespace

class PartitionSearch::Workspace {
 public:
  /// As solve_with_patience(), but first without the DRAM limit, which slows searches down and rarely binds.
  Ticks solve_loosely_first(PartitionInstance& instance, Incumbent& incumbent, const SearchLimits& limits,
                            PartitionSearchResult& result) {
    Ticks bound = 0;
    if (instance.live_binds && limits.goal == SearchGoal::best) {
      PartitionInstance loose = instance;
      loose.live_capacity = int_infinity;
      loose.live_binds = false;
      Incumbent found = incumbent;
      bound = solve_with_patience(loose, found, limits, result);
      const bool proven_infeasible = found.partitions.empty() && bound == found.time;
      if (proven_infeasible) return bound;
      if (!found.partitions.empty() && fits_live(instance, found)) {
        incumbent = found;
        return bound;
      }
    }
    return std::max(bound, solve_with_patience(instance, incumbent, limits, result));
  }

 private:
  /// As solve(), but a long search first improves the incumbent: a good one prunes more, and it is the result where the
  /// node limit stops the search.
  Ticks solve_with_patience(PartitionInstance& instance, Incumbent& incumbent, const SearchLimits& limits,
                            PartitionSearchResult& result) {
    const std::int64_t part = limits.nodes / 8;
    if (limits.goal != SearchGoal::best || part == 0) return solve(instance, incumbent, limits, result);
    const Ticks soon = solve(instance, incumbent, {part}, result);
    if (soon >= incumbent.time) return soon;
    improve_by_orders(instance, std::min(part, most_for_orders), incumbent, result.nodes);
    return std::max(soon, solve(instance, incumbent, limits, result));
  }

  /// Improves `incumbent` to the optimum, or stops at the limit. Returns a proven lower bound, equal to
  /// `incumbent.time` if that is optimal.
  Ticks solve(PartitionInstance& instance, Incumbent& incumbent, const SearchLimits& limits,
              PartitionSearchResult& result) {
    limits_ = limits;
    Ticks bound = 0;
    if (instance.count_rule == CountRule::at_most) {
      // The limit on the count rarely binds, because joining partitions usually saves time.
      instance.count_rule = CountRule::any;
      Incumbent unlimited_count = incumbent;
      bound = improve(instance, unlimited_count, result);
      if (!unlimited_count.partitions.empty()) join_partitions(instance, unlimited_count);
      instance.count_rule = CountRule::at_most;
      const bool proven_infeasible = unlimited_count.partitions.empty() && bound == unlimited_count.time;
      if (proven_infeasible) return bound;
      if (!unlimited_count.partitions.empty() && unlimited_count.partitions.size() <= instance.count) {
        incumbent = unlimited_count;
        return bound;
      }
    }
    return std::max(bound, improve(instance, incumbent, result));
  }

  Ticks improve(const PartitionInstance& instance, Incumbent& incumbent, PartitionSearchResult& result) {
    instance_ = &instance;
    upper_ = incumbent.time;
    goal_.reset();
    states_.clear();
    heap_.clear();
    add_root();
    const Ticks bound = run(result.nodes);
    result.states += static_cast<std::int64_t>(states_.size());
    if (goal_) {
      incumbent.time = upper_;
      incumbent.partitions = traced(*goal_);
    }
    return std::min(bound, upper_);
  }

  void add_root() {
    const std::uint32_t index = states_.find_or_add(0, 0);
    PartitionState& root = states_[index];
    root.reached = 0;
    root.solitary_left = instance_->total_solitary;
    root.compute_left = instance_->total_compute;
    root.network_left = instance_->total_network;
    root.memory_left = instance_->total_memory;
    if (!instance_->core_table.empty()) root.held_left = instance_->core_table.all();
    push(index);
  }

  void push(std::uint32_t index) {
    const PartitionState& state = states_[index];
    heap_.push_back({bound_of(*instance_, state), state.reached, state.done, index, std::popcount(state.done)});
    std::push_heap(heap_.begin(), heap_.end());
  }

  Ticks run(std::int64_t& nodes) {
    while (!heap_.empty()) {
      const Open open = heap_.front();
      if (open.bound >= upper_) return upper_;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
      if (states_[open.state].settled || states_[open.state].reached != open.reached) continue;
      states_[open.state].settled = true;
      if (stops(nodes)) return open.bound;
      expand(open.state, nodes);
      if (stops(nodes)) return open.bound;
    }
    return upper_;
  }

  [[nodiscard]] bool stops(std::int64_t nodes) const {
    return nodes >= limits_.nodes || (goal_ && limits_.goal == SearchGoal::any);
  }

  void expand(std::uint32_t index, std::int64_t& nodes) {
    const PartitionState state = states_[index];
    const PartitionInstance& instance = *instance_;
    if (counted() && state.partitions + 1 == instance.count) {
      const GrowthRules rules(instance);
      const Growth rest = rules.grown(instance.all & ~state.done);
      const bool mixed = instance.apart && !contains(state.done, instance.forward);
      ++nodes;
      if (!mixed && rules.fits(rest) && bound_after(instance, state, rest, {}) < upper_) follow(index, state, rest);
      return;
    }
    Expansion expansion(
        instance, state.done, nodes,
        [&](const Growth& growth, const MoreSinks& more) {
          return bound_after(instance, state, growth, more) < upper_;
        },
        [&](const Growth& growth) {
          follow(index, state, growth);
          return !stops(nodes);
        });
    expansion.run();
  }

  [[nodiscard]] bool counted() const { return instance_->count_rule != CountRule::any; }

  /// Whether the remaining kernels are compatible with the number of partitions still allowed.
  [[nodiscard]] bool count_allows(std::uint32_t partitions, KernelSet done) const {
    const auto used = static_cast<std::size_t>(partitions);
    const KernelSet rest = instance_->all & ~done;
    if (rest == 0) return instance_->count_rule != CountRule::exactly || used == instance_->count;
    const std::size_t least = instance_->apart && (rest & instance_->forward) != 0 ? 2 : 1;
    if (used + least > instance_->count) return false;
    return instance_->count_rule == CountRule::at_most ||
           static_cast<std::size_t>(std::popcount(rest)) + used >= instance_->count;
  }

  /// Adds the successor of `state` by the partition `growth`. Pre: its bound is below the best time.
  void follow(std::uint32_t index, const PartitionState& state, const Growth& growth) {
    if (state.live + growth.live > instance_->live_capacity) return;
    const GrowthRules rules(*instance_);
    const Ticks reached = state.reached + rules.time(growth);
    const KernelSet raw = state.done | growth.inside;
    const std::uint32_t partitions = counted() ? state.partitions + 1 : 0;
    if (counted() && !count_allows(partitions, raw)) return;
    const KernelSet done = canonical(*instance_, raw, growth.ready_sinks);
    const std::uint32_t next = states_.find_or_add(done, partitions);
    PartitionState& found = states_[next];
    if (reached >= found.reached) return;
    found.reached = reached;
    found.parent = index;
    found.last = growth.inside;
    found.solitary_left = state.solitary_left - growth.solitary_due;
    found.compute_left = compute_left_after(*instance_, state, growth, {});
    found.held_left = state.held_left - growth.held;
    found.network_left = state.network_left - growth.network_due;
    found.memory_left = state.memory_left + growth.memory_due;
    found.live = state.live + growth.live_change;
    found.settled = false;
    if (done == instance_->all) {
      upper_ = reached;
      goal_ = next;
    } else {
      push(next);
    }
  }

  /// The partitions that lead to `goal`, with the original kernels.
  [[nodiscard]] std::vector<KernelSet> traced(std::uint32_t goal) const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t s = goal; states_[s].done != 0; s = states_[s].parent) path.push_back(s);
    std::reverse(path.begin(), path.end());
    Names names{};
    for (std::size_t k = 0; k < most_kernels; ++k) names[k] = static_cast<std::uint8_t>(k);
    std::vector<KernelSet> partitions;
    KernelSet before = 0;
    for (const std::uint32_t s : path) {
      KernelSet inside = 0;
      for (KernelSet rest = states_[s].last; rest != 0; rest &= rest - 1) inside |= just(names[lowest(rest)]);
      partitions.push_back(inside);
      names = renamed(*instance_, before | states_[s].last, states_[s].done, names);
      before = states_[s].done;
    }
    return partitions;
  }

  const PartitionInstance* instance_ = nullptr;
  SearchLimits limits_;
  Ticks upper_ = int_infinity;
  std::optional<std::uint32_t> goal_;
  PartitionStates states_;
  std::vector<Open> heap_;
};

PartitionSearch::PartitionSearch() : workspace_(std::make_unique<Workspace>()) {}
PartitionSearch::~PartitionSearch() = default;
PartitionSearch::PartitionSearch(PartitionSearch&&) noexcept = default;
PartitionSearch& PartitionSearch::operator=(PartitionSearch&&) noexcept = default;

PartitionSearchResult PartitionSearch::solve(const PartitionProblem& problem, const SearchLimits& limits) {
  PartitionSearchResult result;
  PartitionInstance instance(problem);
  bool hopeless = instance.live_capacity < 0;
  for (std::size_t k = 0; k < instance.kernels; ++k) hopeless |= instance.sram_alone[k] > instance.sram_capacity;
  if (hopeless) {
    result.outcome = SearchOutcome::infeasible;
    return result;
  }
  Incumbent incumbent = first_incumbent(instance);
  const bool enough = limits.goal == SearchGoal::any && !incumbent.partitions.empty();
  const Ticks bound = enough ? 0 : workspace_->solve_loosely_first(instance, incumbent, limits, result);
  const bool limited = bound < incumbent.time;
  if (incumbent.partitions.empty()) {
    result.outcome = limited ? SearchOutcome::unresolved : SearchOutcome::infeasible;
    return result;
  }
  join_partitions(instance, incumbent);
  result.assignment.resize(problem.kernels.size());
  for (std::size_t p = 0; p < incumbent.partitions.size(); ++p)
    for (KernelSet rest = incumbent.partitions[p]; rest != 0; rest &= rest - 1) result.assignment[lowest(rest)] = p;
  result.time = time_of(problem, result.assignment);
  result.outcome = limited ? SearchOutcome::limited : SearchOutcome::optimal;
  result.bound =
      limited ? std::min(result.time, Seconds{static_cast<double>(bound) * instance.seconds_per_tick}) : result.time;
  if (result.time > Seconds{}) result.gap = 1.0 - result.bound / result.time;
  return result;
}

}  // namespace dfsweep::dataflow
