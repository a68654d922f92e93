/// Dynamic programming over sets of finished kernels, one kernel at a time.
#include "models/dataflow/search/stage_decision.hpp"

#include <algorithm>

#include "models/dataflow/search/stage_states.hpp"

namespace dfsweep::dataflow {

namespace {

bool is_no_later(const StageWay& a, const StageWay& b) {
  return a.closed <= b.closed && a.work[0] <= b.work[0] && a.work[1] <= b.work[1] && a.work[2] <= b.work[2] &&
         a.held <= b.held;
}

class Decision {
 public:
  Decision(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit)
      : instance_(instance), limit_(time_limit), states_(instance, node_limit) {}

  StageDecision decided() {
    StageDecision decision;
    if (states_.add(states_.level().front(), {}, is_no_later)) decision = after_levels();
    decision.nodes = states_.nodes();
    return decision;
  }

 private:
  StageDecision after_levels() {
    for (std::size_t finished = 0; finished < instance_.kernels; ++finished) {
      for (StageState& state : states_.level())
        if (!close_stages(state) || !extend(state)) return {};
      if (!states_.advance()) return {StageDecision::Verdict::impossible, {}, next_time_, 0};
    }
    const std::vector<std::uint32_t>& ways = states_.level().front().ways;
    const std::uint32_t best = *std::min_element(ways.begin(), ways.end(), [this](std::uint32_t a, std::uint32_t b) {
      return states_[a].closed < states_[b].closed;
    });
    return {StageDecision::Verdict::possible, states_.traced(best), limit_, 0};
  }

  /// Adds the ways that close the current stage here; false at the node limit.
  bool close_stages(StageState& state) {
    const std::vector<std::uint32_t> open = state.ways;
    for (const std::uint32_t index : open) {
      const StageWay& way = states_[index];
      if (way.kernel == StageWay::no_kernel || way.closed + std::size_t{1} >= instance_.stages) continue;
      const Ticks time = instance_.time(way.work, state.sending);
      if (time > limit_)
        next_time_ = std::min(next_time_, time);
      else if (!states_.add(state, {index, StageWay::no_kernel, static_cast<std::uint8_t>(way.closed + 1), {}, 0},
                            is_no_later))
        return false;
    }
    return true;
  }

  /// Adds a kernel to the current stage of every way to `state`.
  bool extend(const StageState& state) {
    for (KernelSet ready = instance_.ready(state.done); ready != 0; ready &= ready - 1) {
      const std::size_t kernel = lowest(ready);
      const StageWork left = state.left - instance_.work[kernel];
      for (const std::uint32_t index : state.ways) {
        const StageWay& way = states_[index];
        const StageWay longer{index, static_cast<std::uint8_t>(kernel), way.closed, way.work + instance_.work[kernel],
                              way.held + instance_.held[kernel]};
        if (longer.held > instance_.capacity || !may_end(longer, left)) continue;
        if (!states_.add(states_.successor(state, kernel), longer, is_no_later)) return false;
      }
    }
    return true;
  }

  /// Whether the current and the remaining stages have enough time for the work of the current stage and the work left.
  bool may_end(const StageWay& way, const StageWork& left) {
    const auto stages = static_cast<Ticks>(instance_.stages) - way.closed;
    const Ticks shared = (largest(way.work + left) + stages - 1) / stages;
    const Ticks needed = std::max(largest(way.work), shared);
    if (needed <= limit_) return true;
    next_time_ = std::min(next_time_, needed);
    return false;
  }

  const StageInstance& instance_;
  Ticks limit_;
  Ticks next_time_ = int_infinity;
  StageStates<StageWay> states_;
};

}  // namespace

StageDecision decide_stages(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit) {
  return Decision(instance, time_limit, node_limit).decided();
}

}  // namespace dfsweep::dataflow
