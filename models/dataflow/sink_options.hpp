/// Sink options: the ways in which ready kernels without consumers may join a partition whose other kernels are
/// settled.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "models/dataflow/partition_growth.hpp"

namespace dfsweep {

/// Sinks of one class of alike ones that join together.
struct SinkOption {
  KernelSet inside = 0;
  KernelSet left_out = 0;  ///< of those that share equal traffic with the partition the first that does not join
  std::int64_t count = 0;
  Ticks shared = 0;  ///< traffic that they share with the partition
  WholeBytes shared_live = 0;
  WholeBytes sram = 0;
};

/// Which of several alike sinks join changes nothing but the traffic that they share with the partition and the SRAM
/// that they need, and what remains afterwards is the same problem however many share what. So of those options that
/// take equally many only the ones that share more for more SRAM are kept; where tensors in DRAM are limited, all that
/// are not equal.
class SinkOptions {
 public:
  explicit SinkOptions(const PartitionInstance& instance) : instance_(instance), rules_(instance) {}

  /// Finds the options of all classes of `growth.ready_sinks` that fit. Solitary sinks join nothing.
  void find(const Growth& growth) {
    options_.clear();
    class_ends_.clear();
    KernelSet rest = growth.ready_sinks & ~instance_.solitary;
    while (rest != 0) {
      const KernelSet members = rest & instance_.alike[instance_.alike_of[lowest(rest)]];
      rest &= ~members;
      find(growth, members);
    }
  }
  [[nodiscard]] std::size_t classes() const { return class_ends_.size(); }
  [[nodiscard]] std::span<const SinkOption> of(std::size_t alike_class) const {
    const std::size_t begin = alike_class == 0 ? 0 : class_ends_[alike_class - 1];
    return std::span(options_).subspan(begin, class_ends_[alike_class] - begin);
  }

 private:
  struct Candidate {
    std::size_t sink;
    Joining join;
  };

  void find(const Growth& growth, KernelSet members) {
    if (is_single(members)) {
      const Joining join = rules_.joining(growth, lowest(members));
      if (growth.sram + join.sram <= instance_.sram_capacity)
        options_.push_back({members, 0, 1, join.shared, join.shared_live, join.sram});
      options_.push_back({0, members, 0, 0, 0, 0});
      class_ends_.push_back(options_.size());
      return;
    }
    candidates_.clear();
    for (KernelSet rest = members; rest != 0; rest &= rest - 1)
      candidates_.push_back({lowest(rest), rules_.joining(growth, lowest(rest))});
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      if (a.join.shared != b.join.shared) return a.join.shared > b.join.shared;
      if (a.join.shared_live != b.join.shared_live) return a.join.shared_live > b.join.shared_live;
      if (a.join.sram != b.join.sram) return a.join.sram < b.join.sram;
      return a.sink < b.sink;
    });
    current_.assign(1, {});
    for (std::size_t begin = 0; begin < candidates_.size();) {
      std::size_t end = begin + 1;
      while (end < candidates_.size() && candidates_[end].join.shared == candidates_[begin].join.shared &&
             candidates_[end].join.shared_live == candidates_[begin].join.shared_live)
        ++end;
      add_group(growth, std::span(candidates_).subspan(begin, end - begin));
      begin = end;
    }
    options_.insert(options_.end(), current_.begin(), current_.end());
    class_ends_.push_back(options_.size());
  }

  /// Extends every option by each number of the sinks of a group, those that need least SRAM first.
  void add_group(const Growth& growth, std::span<const Candidate> group) {
    extended_.clear();
    for (SinkOption option : current_)  // a copy
      for (std::size_t taken = 0;; ++taken) {
        extended_.push_back(option);
        if (taken == group.size()) break;
        extended_.back().left_out |= just(group[taken].sink);
        option.inside |= just(group[taken].sink);
        ++option.count;
        option.shared += group[taken].join.shared;
        option.shared_live += group[taken].join.shared_live;
        option.sram += group[taken].join.sram;
        if (growth.sram + option.sram > instance_.sram_capacity) break;
      }
    if (current_.size() > 1) drop_dominated();
    std::swap(current_, extended_);
  }

  void drop_dominated() {
    std::sort(extended_.begin(), extended_.end(), [](const SinkOption& a, const SinkOption& b) {
      if (a.count != b.count) return a.count < b.count;
      if (a.sram != b.sram) return a.sram < b.sram;
      if (a.shared != b.shared) return a.shared > b.shared;
      return a.inside < b.inside;
    });
    if (instance_.live_binds) return;
    std::size_t kept = 0;
    for (const SinkOption& option : extended_)
      if (kept == 0 || extended_[kept - 1].count != option.count || option.shared > extended_[kept - 1].shared)
        extended_[kept++] = option;
    extended_.resize(kept);
  }

  const PartitionInstance& instance_;
  GrowthRules rules_;
  std::vector<SinkOption> options_;
  std::vector<std::size_t> class_ends_;
  std::vector<Candidate> candidates_;
  std::vector<SinkOption> current_;
  std::vector<SinkOption> extended_;
};

}  // namespace dfsweep
