/// Dynamic programming over sets of finished kernels with the step as the objective.
#include "models/dataflow/search/stage_steps.hpp"

#include <algorithm>

#include "models/dataflow/search/stage_states.hpp"

namespace dfsweep::dataflow {

namespace {

/// Ways that are kept with each number of closed stages in a state: those with the lowest bounds.
constexpr std::size_t most_ways = 32;

struct StepWay : StageWay {
  Ticks slowest = 0;         ///< of the closed stages, at least `least_slowest`
  Ticks sum = 0;             ///< of the closed stages
  Ticks gradients = 0;       ///< of the current stage
  Ticks most_gradients = 0;  ///< of the closed stages, at least the least of all solutions
  double bound = 0.0;        ///< on the steps of all solutions that continue it
};

Ticks excess(Ticks a, Ticks b) {
  return std::max<Ticks>(a - b, 0);
}

class StepSearch {
 public:
  StepSearch(const StageInstance& instance, Ticks least_slowest, const StageSteps& known, std::int64_t node_limit)
      : instance_(instance), least_slowest_(least_slowest), best_(known), states_(instance, node_limit) {}

  StageStepSearch searched() {
    StageStepSearch result;
    StepWay root;
    root.slowest = least_slowest_;
    root.most_gradients = instance_.least_gradients();
    StageState& start = states_.level().front();
    set_bound(root, start.left, start.gradients_left);
    if (may_improve(root)) result.is_stopped = !add(start, root) || !is_complete();
    result.bound = result.is_stopped ? root.bound : std::min(best_.step, least_dropped_);
    result.best = std::move(best_);
    result.nodes = states_.nodes();
    return result;
  }

 private:
  /// False at the node limit.
  bool is_complete() {
    for (std::size_t finished = 0; finished < instance_.kernels; ++finished) {
      for (StageState& state : states_.level())
        if (!close_stages(state) || !extend(state)) return false;
      if (!states_.advance()) return true;
    }
    for (const std::uint32_t way : states_.level().front().ways) {
      StageSteps found = steps_of(instance_, states_.traced(way));
      if (is_better(found, best_)) best_ = std::move(found);
    }
    return true;
  }

  bool add(StageState& state, const StepWay& way) {
    if (!states_.add(state, way, [this](const StepWay& a, const StepWay& b) { return is_no_worse(a, b); }))
      return false;
    drop_worst(state, way.closed);
    return true;
  }

  /// Drops the way with the highest bound where there are too many with this number of closed stages.
  void drop_worst(StageState& state, std::uint8_t closed) {
    std::size_t count = 0;
    auto worst = state.ways.end();
    for (auto way = state.ways.begin(); way != state.ways.end(); ++way) {
      if (states_[*way].closed != closed) continue;
      ++count;
      if (worst == state.ways.end() || states_[*way].bound >= states_[*worst].bound) worst = way;
    }
    if (count <= most_ways) return;
    least_dropped_ = std::min(least_dropped_, states_[*worst].bound);
    state.ways.erase(worst);
  }

  /// Whether `a` continued as `b` gives a step no longer: a stage is late by at most the excess of its work, and a step
  /// by that for the sum and for each later micro-batch of the slowest stage.
  [[nodiscard]] bool is_no_worse(const StepWay& a, const StepWay& b) const {
    const Ticks saved = b.sum - a.sum;
    if (saved < 0 || a.closed > b.closed || a.held > b.held) return false;
    const Ticks late =
        std::max({excess(a.work[0], b.work[0]), excess(a.work[1], b.work[1]), excess(a.work[2], b.work[2])});
    const Ticks gradients = std::max(excess(a.gradients, b.gradients), excess(a.most_gradients, b.most_gradients));
    return instance_.step(std::max(late, excess(a.slowest, b.slowest)), late, gradients) <= static_cast<double>(saved);
  }

  /// `left`, `gradients_left`: of the kernels that `way` has not finished.
  void set_bound(StepWay& way, const StageWork& left, Ticks gradients_left) const {
    const auto stages = static_cast<Ticks>(instance_.stages) - way.closed;
    const Ticks rest = largest(way.work + left);
    const Ticks slowest = std::max({way.slowest, largest(way.work), (rest + stages - 1) / stages});
    const Ticks shared = (way.gradients + gradients_left + stages - 1) / stages;
    way.bound = instance_.step(slowest, std::max(way.sum + rest, slowest),
                               std::max({way.most_gradients, way.gradients, shared}));
  }

  /// Whether the bound is below the best step, or equal to it with fewer stages.
  [[nodiscard]] bool may_improve(const StepWay& way) const {
    return way.bound < best_.step || (way.bound == best_.step && way.closed + std::size_t{1} < best_.stages.size());
  }

  /// Adds the ways that close the current stage here; false at the node limit.
  bool close_stages(StageState& state) {
    const std::vector<std::uint32_t> open = state.ways;
    for (const std::uint32_t index : open) {
      const StepWay& way = states_[index];
      if (way.kernel == StageWay::no_kernel || way.closed + std::size_t{1} >= instance_.stages) continue;
      const Ticks time = instance_.time(way.work, state.sending);
      StepWay closed;
      closed.before = index;
      closed.closed = static_cast<std::uint8_t>(way.closed + 1);
      closed.slowest = std::max(way.slowest, time);
      closed.sum = way.sum + time;
      closed.most_gradients = std::max(way.most_gradients, way.gradients);
      set_bound(closed, state.left, state.gradients_left);
      if (may_improve(closed) && !add(state, closed)) return false;
    }
    return true;
  }

  /// Adds a kernel to the current stage of every way to `state`.
  bool extend(const StageState& state) {
    for (KernelSet ready = instance_.ready(state.done); ready != 0; ready &= ready - 1) {
      const std::size_t kernel = lowest(ready);
      const StageWork left = state.left - instance_.work[kernel];
      const Ticks gradients_left = state.gradients_left - instance_.gradients[kernel];
      for (const std::uint32_t index : state.ways) {
        StepWay longer = states_[index];
        longer.before = index;
        longer.kernel = static_cast<std::uint8_t>(kernel);
        longer.work = longer.work + instance_.work[kernel];
        longer.held += instance_.held[kernel];
        longer.gradients += instance_.gradients[kernel];
        set_bound(longer, left, gradients_left);
        if (longer.held > instance_.capacity || !may_improve(longer)) continue;
        if (!add(states_.successor(state, kernel), longer)) return false;
      }
    }
    return true;
  }

  const StageInstance& instance_;
  Ticks least_slowest_;
  StageSteps best_;
  double least_dropped_ = std::numeric_limits<double>::infinity();  ///< least bound of the ways that were dropped
  StageStates<StepWay> states_;
};

}  // namespace

StageSteps steps_of(const StageInstance& instance, std::vector<KernelSet> stages) {
  Ticks slowest = 0;
  Ticks sum = 0;
  Ticks most_gradients = 0;
  Sending sending;
  for (const KernelSet inside : stages) {
    StageWork work{};
    Ticks gradients = 0;
    for (KernelSet rest = inside; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      work = work + instance.work[k];
      gradients += instance.gradients[k];
      sending = sending - instance.arriving[k] + instance.leaving[k];
    }
    const Ticks time = instance.time(work, sending);
    slowest = std::max(slowest, time);
    sum += time;
    most_gradients = std::max(most_gradients, gradients);
  }
  return {instance.step(slowest, sum, most_gradients), std::move(stages)};
}

StageStepSearch shortest_step(const StageInstance& instance, Ticks least_slowest, const StageSteps& known,
                              std::int64_t node_limit) {
  return StepSearch(instance, least_slowest, known, node_limit).searched();
}

}  // namespace dfsweep::dataflow
