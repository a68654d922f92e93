/// Dynamic programming over sets of finished kernels, one kernel at a time.
#include "models/dataflow/search/stage_decision.hpp"

#include <algorithm>
#include <unordered_map>

namespace dfsweep::dataflow {

namespace {

constexpr std::uint32_t no_way = ~std::uint32_t{0};
constexpr std::uint8_t no_kernel = most_kernels;

/// A partial solution that finishes the kernels of a state.
struct Way {
  std::uint32_t before = no_way;
  std::uint8_t kernel = no_kernel;  ///< kernel added last; `no_kernel`: the current stage was closed
  std::uint8_t closed = 0;          ///< number of closed stages
  StageWork work{};                 ///< work of the current stage, as for `held`
  WholeBytes held = 0;              ///< bytes held by the current stage
};

bool is_no_worse(const Way& a, const Way& b) {
  return a.closed <= b.closed && a.work[0] <= b.work[0] && a.work[1] <= b.work[1] && a.work[2] <= b.work[2] &&
         a.held <= b.held;
}

struct State {
  KernelSet done = 0;
  Sending sending;   ///< tensors that leave `done`
  StageWork left{};  ///< work of the unfinished kernels
  std::vector<std::uint32_t> ways;
};

class Decision {
 public:
  Decision(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit)
      : instance_(instance), limit_(time_limit), node_limit_(static_cast<std::size_t>(node_limit)) {}

  StageDecision decided() {
    StageDecision decision;
    State root{.done = 0, .sending = {}, .left = instance_.total, .ways = {}};
    level_ = {root};
    if (add(level_.front(), {})) decision = after_levels();
    decision.nodes = static_cast<std::int64_t>(ways_.size());
    return decision;
  }

 private:
  StageDecision after_levels() {
    for (std::size_t finished = 0; finished < instance_.kernels; ++finished) {
      next_.clear();
      index_.clear();
      for (State& state : level_)
        if (!close_stages(state) || !extend(state)) return {};
      level_.swap(next_);
      if (level_.empty()) return {StageDecision::Verdict::impossible, {}, next_time_, 0};
    }
    const std::vector<std::uint32_t>& ways = level_.front().ways;
    const std::uint32_t best = *std::min_element(ways.begin(), ways.end(), [this](std::uint32_t a, std::uint32_t b) {
      return ways_[a].closed < ways_[b].closed;
    });
    return {StageDecision::Verdict::possible, traced(best), limit_, 0};
  }

  /// Adds a way unless another dominates it; false at the node limit.
  bool add(State& state, const Way& way) {
    for (const std::uint32_t known : state.ways)
      if (is_no_worse(ways_[known], way)) return true;
    if (ways_.size() >= node_limit_) return false;
    std::erase_if(state.ways, [&](std::uint32_t known) { return is_no_worse(way, ways_[known]); });
    state.ways.push_back(static_cast<std::uint32_t>(ways_.size()));
    ways_.push_back(way);
    return true;
  }

  /// Adds the ways that close the current stage here; false at the node limit.
  bool close_stages(State& state) {
    const std::vector<std::uint32_t> open = state.ways;
    for (const std::uint32_t way : open) {
      if (ways_[way].kernel == no_kernel || ways_[way].closed + std::size_t{1} >= instance_.stages) continue;
      const Ticks time = instance_.time(ways_[way].work, state.sending);
      if (time > limit_)
        next_time_ = std::min(next_time_, time);
      else if (!add(state, {way, no_kernel, static_cast<std::uint8_t>(ways_[way].closed + 1), {}, 0}))
        return false;
    }
    return true;
  }

  /// Adds a kernel to the current stage of every way to `state`.
  bool extend(const State& state) {
    for (KernelSet ready = instance_.ready(state.done); ready != 0; ready &= ready - 1) {
      const std::size_t kernel = lowest(ready);
      const StageWork left = state.left - instance_.work[kernel];
      for (const std::uint32_t index : state.ways) {
        const Way& way = ways_[index];
        const Way longer{index, static_cast<std::uint8_t>(kernel), way.closed, way.work + instance_.work[kernel],
                         way.held + instance_.held[kernel]};
        if (longer.held > instance_.capacity || !may_end(longer, left)) continue;
        if (!add(successor(state, kernel, left), longer)) return false;
      }
    }
    return true;
  }

  /// Whether the current and the remaining stages have enough time for the work of the current stage and the work left.
  bool may_end(const Way& way, const StageWork& left) {
    const auto stages = static_cast<Ticks>(instance_.stages) - way.closed;
    const Ticks shared = (largest(way.work + left) + stages - 1) / stages;
    const Ticks needed = std::max(largest(way.work), shared);
    if (needed <= limit_) return true;
    next_time_ = std::min(next_time_, needed);
    return false;
  }

  State& successor(const State& state, std::size_t kernel, const StageWork& left) {
    const KernelSet done = instance_.canonical(state.done | just(kernel));
    const auto [found, is_new] = index_.emplace(done, next_.size());
    if (is_new) {
      const Sending sending = state.sending - instance_.arriving[kernel] + instance_.leaving[kernel];
      next_.push_back({.done = done, .sending = sending, .left = left, .ways = {}});
    }
    return next_[found->second];
  }

  /// The stages of a way, with representatives replaced by the symmetric kernels that are ready.
  std::vector<KernelSet> traced(std::uint32_t last) const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t way = last; way != no_way; way = ways_[way].before) path.push_back(way);
    std::reverse(path.begin(), path.end());
    std::vector<KernelSet> stages{0};
    KernelSet done = 0;
    for (const std::uint32_t way : path) {
      if (ways_[way].kernel == no_kernel) {
        if (stages.back() != 0) stages.push_back(0);
        continue;
      }
      KernelSet candidates = just(ways_[way].kernel);
      for (const KernelSet members : instance_.symmetric)
        if (contains(members, candidates)) candidates = members & instance_.ready(done);
      stages.back() |= candidates;
      done |= candidates;
    }
    return stages;
  }

  const StageInstance& instance_;
  Ticks limit_;
  std::size_t node_limit_;
  Ticks next_time_ = int_infinity;
  std::vector<Way> ways_;
  std::vector<State> level_;  ///< states with the current number of finished kernels, in insertion order
  std::vector<State> next_;
  std::unordered_map<KernelSet, std::size_t> index_;  ///< index into next_; never iterated
};

}  // namespace

StageDecision decide_stages(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit) {
  return Decision(instance, time_limit, node_limit).decided();
}

}  // namespace dfsweep::dataflow
