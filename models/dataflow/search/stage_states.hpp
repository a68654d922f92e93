/// StageStates: sets of finished kernels and the partial solutions that finish them, level by level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/dataflow/search/stage_instance.hpp"

namespace dfsweep::dataflow {

/// The last decision of a partial solution that finishes the kernels of a state; the searches add what they need.
struct StageWay {
  static constexpr std::uint32_t no_way = ~std::uint32_t{0};
  static constexpr std::uint8_t no_kernel = most_kernels;
  std::uint32_t before = no_way;
  std::uint8_t kernel = no_kernel;  ///< kernel added last; `no_kernel`: the current stage was closed
  std::uint8_t closed = 0;          ///< number of closed stages
  StageWork work{};                 ///< work of the current stage, as for `held`
  WholeBytes held = 0;              ///< bytes held by the current stage
};

struct StageState {
  KernelSet done = 0;
  Sending sending;   ///< tensors that leave `done`
  StageWork left{};  ///< work of the unfinished kernels
  Ticks gradients_left = 0;
  std::vector<std::uint32_t> ways;  ///< none dominates another
};

/// `Way` is a StageWay with the amounts that a search adds up.
template <class Way>
class StageStates {
 public:
  StageStates(const StageInstance& instance, std::int64_t node_limit)
      : instance_(instance), node_limit_(static_cast<std::size_t>(std::max<std::int64_t>(node_limit, 0))) {
    level_.push_back(
        {.done = 0, .sending = {}, .left = instance.total, .gradients_left = instance.total_gradients, .ways = {}});
  }

  /// States with the current number of finished kernels, in the order of their first ways.
  [[nodiscard]] std::vector<StageState>& level() { return level_; }
  [[nodiscard]] const Way& operator[](std::uint32_t way) const { return ways_[way]; }
  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(ways_.size()); }

  /// Goes on to the states with one more kernel; false where no such state exists.
  bool advance() {
    level_.swap(next_);
    next_.clear();
    index_.clear();
    return !level_.empty();
  }

  /// Adds a way unless another dominates it, which is_no_worse(a, b) decides; false at the node limit.
  template <class IsNoWorse>
  bool add(StageState& state, const Way& way, const IsNoWorse& is_no_worse) {
    for (const std::uint32_t known : state.ways)
      if (is_no_worse(ways_[known], way)) return true;
    if (ways_.size() >= node_limit_) return false;
    std::erase_if(state.ways, [&](std::uint32_t known) { return is_no_worse(way, ways_[known]); });
    state.ways.push_back(static_cast<std::uint32_t>(ways_.size()));
    ways_.push_back(way);
    return true;
  }

  /// The state of the next level that `kernel` leads to.
  StageState& successor(const StageState& state, std::size_t kernel) {
    const KernelSet done = instance_.canonical(state.done | just(kernel));
    const auto [found, is_new] = index_.emplace(done, next_.size());
    if (is_new)
      next_.push_back({.done = done,
                       .sending = state.sending - instance_.arriving[kernel] + instance_.leaving[kernel],
                       .left = state.left - instance_.work[kernel],
                       .gradients_left = state.gradients_left - instance_.gradients[kernel],
                       .ways = {}});
    return next_[found->second];
  }

  /// The stages of a way, with representatives replaced by the symmetric kernels that are ready.
  [[nodiscard]] std::vector<KernelSet> traced(std::uint32_t last) const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t way = last; way != StageWay::no_way; way = ways_[way].before) path.push_back(way);
    std::reverse(path.begin(), path.end());
    std::vector<KernelSet> stages{0};
    KernelSet done = 0;
    for (const std::uint32_t way : path) {
      if (ways_[way].kernel == StageWay::no_kernel) {
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

 private:
  const StageInstance& instance_;
  std::size_t node_limit_;
  std::vector<Way> ways_;
  std::vector<StageState> level_;
  std::vector<StageState> next_;
  std::unordered_map<KernelSet, std::size_t> index_;  ///< index into next_; never iterated
};

}  // namespace dfsweep::dataflow
