/// Sink options: which ready sinks (kernels without consumers) may join a partition whose other kernels are fixed.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "models/dataflow/search/partition_growth.hpp"

namespace dfsweep::dataflow {

/// A subset of one class of symmetric sinks that joins a partition.
struct SinkOption {
  KernelSet inside = 0;
  KernelSet left_out = 0;  ///< first sink that does not join, among those with equal shared traffic
  std::int64_t count = 0;
  Ticks shared = 0;  ///< traffic that they share with the partition
  WholeBytes shared_live = 0;
  WholeBytes sram = 0;
};

/// Sums over sinks that may still join a partition.
struct MoreSinks {
  Ticks compute_due = 0;
  Ticks network_due = 0;
  Ticks memory_due = 0;
  Ticks relief = 0;        ///< upper bound on the reduction of the traffic of the partition
  std::uint32_t held = 0;  ///< their index in the core table

  void add(const PartitionInstance& instance, std::size_t sink, std::int64_t count) {
    add_times(instance, sink, count);
    memory_due += count * instance.due_memory[sink];
    relief += count * std::max<Ticks>(2 * instance.arriving[sink] - instance.memory[sink], 0);
  }
  /// As add(), without the traffic.
  void add_times(const PartitionInstance& instance, std::size_t sink, std::int64_t count) {
    compute_due += count * instance.due_compute[sink];
    network_due += count * instance.due_network[sink];
    if (!instance.core_table.empty()) held += static_cast<std::uint32_t>(count) * instance.core_table.step(sink);
  }
};

/// Options of one class with equal counts differ only in the traffic shared with the partition and in SRAM; the
/// remaining problem is the same. So only Pareto-optimal options (more shared traffic for more SRAM) are kept; where
/// tensors in DRAM are limited, all distinct options.
class SinkOptions {
 public:
  explicit SinkOptions(const PartitionInstance& instance) : instance_(instance), rules_(instance) {}

  /// Finds the options of all classes of `growth.ready_sinks` that fit, without solitary sinks. The caller chooses from
  /// the classes in order.
  void find(const Growth& growth) {
    options_.clear();
    classes_.clear();
    later_sram_ = 0;
    KernelSet rest = growth.ready_sinks & ~instance_.solitary;
    WholeBytes most_sram = growth.sram;
    for (KernelSet sinks = rest; sinks != 0; sinks &= sinks - 1) {
      joins_[lowest(sinks)] = rules_.joining(growth, lowest(sinks));
      most_sram += std::max<WholeBytes>(joins_[lowest(sinks)].sram, 0);
    }
    all_fit_ = most_sram <= instance_.sram_capacity && !instance_.live_binds;
    while (rest != 0) {  // the last class is processed first
      const KernelSet members = rest & instance_.symmetric[instance_.symmetric_class[highest(rest)]];
      rest &= ~members;
      const WholeBytes later_sram = later_sram_;
      find(growth, members);
      classes_.push_back({lowest(members), std::popcount(members), options_.size(), later_sram});
    }
  }
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }
  [[nodiscard]] std::span<const SinkOption> of(std::size_t sink_class) const {
    const std::size_t found = classes_.size() - 1 - sink_class;
    const std::size_t begin = found == 0 ? 0 : classes_[found - 1].options_end;
    return std::span(options_).subspan(begin, classes_[found].options_end - begin);
  }
  /// A representative sink of a class.
  [[nodiscard]] std::size_t sink_of(std::size_t sink_class) const { return class_at(sink_class).sink; }
  /// Whether `next` dominates an option for `growth`, which contains the choices of earlier classes: it has the same
  /// number of sinks, shares more traffic, and leaves enough SRAM for all sinks that may join later.
  [[nodiscard]] bool gives_way(const Growth& growth, std::size_t sink_class, const SinkOption& option,
                               const SinkOption& next) const {
    return next.count == option.count && next.shared >= option.shared && !instance_.live_binds &&
           growth.sram + next.sram + class_at(sink_class).later_sram <= instance_.sram_capacity;
  }
  /// Number of ready sinks of a class.
  [[nodiscard]] std::int64_t most_of(std::size_t sink_class) const { return class_at(sink_class).count; }

 private:
  struct Class {
    std::size_t sink;  ///< representative sink
    std::int64_t count;
    std::size_t options_end;
    WholeBytes later_sram;  ///< upper bound on the SRAM of all sinks of later classes
  };
  [[nodiscard]] const Class& class_at(std::size_t sink_class) const {
    return classes_[classes_.size() - 1 - sink_class];
  }
  static std::size_t highest(KernelSet set) { return 63 - static_cast<std::size_t>(std::countl_zero(set)); }

  struct Candidate {
    std::size_t sink;
    Joining join;
  };

  void find(const Growth& growth, KernelSet members) {
    if (is_single(members)) {
      const Joining& join = joins_[lowest(members)];
      if (growth.sram + join.sram <= instance_.sram_capacity)
        options_.push_back({members, 0, 1, join.shared, join.shared_live, join.sram});
      options_.push_back({0, members, 0, 0, 0, 0});
      later_sram_ += std::max<WholeBytes>(join.sram, 0);
      return;
    }
    candidates_.clear();
    for (KernelSet rest = members; rest != 0; rest &= rest - 1)
      candidates_.push_back({lowest(rest), joins_[lowest(rest)]});
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      if (a.join.shared != b.join.shared) return a.join.shared > b.join.shared;
      if (a.join.shared_live != b.join.shared_live) return a.join.shared_live > b.join.shared_live;
      if (a.join.sram != b.join.sram) return a.join.sram < b.join.sram;
      return a.sink < b.sink;
    });
    for (const Candidate& candidate : candidates_) later_sram_ += std::max<WholeBytes>(candidate.join.sram, 0);
    if (all_fit_) return append_prefixes();
    current_.assign(1, {});
    for (std::size_t begin = 0; begin < candidates_.size();) {
      std::size_t end = begin + 1;
      while (end < candidates_.size() && shares_equally(candidates_[begin], candidates_[end])) ++end;
      add_group(growth, std::span(candidates_).subspan(begin, end - begin));
      begin = end;
    }
    options_.insert(options_.end(), current_.begin(), current_.end());
  }

  [[nodiscard]] static bool shares_equally(const Candidate& a, const Candidate& b) {
    return a.join.shared == b.join.shared && a.join.shared_live == b.join.shared_live;
  }

  /// Options without an SRAM limit: the sinks that share most traffic join first.
  void append_prefixes() {
    KernelSet first_of_groups = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (i == 0 || !shares_equally(candidates_[i - 1], candidates_[i])) first_of_groups |= just(candidates_[i].sink);
    SinkOption option;
    for (const Candidate& next : candidates_) {
      option.left_out = first_of_groups | just(next.sink);
      options_.push_back(option);
      take(option, next);
      first_of_groups &= ~just(next.sink);
    }
    option.left_out = 0;
    options_.push_back(option);
  }

  static void take(SinkOption& option, const Candidate& candidate) {
    option.inside |= just(candidate.sink);
    ++option.count;
    option.shared += candidate.join.shared;
    option.shared_live += candidate.join.shared_live;
    option.sram += candidate.join.sram;
  }

  /// Extends every option by each count of sinks of a group, in ascending order of SRAM.
  void add_group(const Growth& growth, std::span<const Candidate> group) {
    extended_.clear();
    for (SinkOption option : current_)  // a copy
      for (std::size_t taken = 0;; ++taken) {
        extended_.push_back(option);
        if (taken == group.size()) break;
        extended_.back().left_out |= just(group[taken].sink);
        take(option, group[taken]);
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
  std::array<Joining, most_kernels> joins_{};  ///< [ready sink]
  bool all_fit_ = false;                       ///< all ready sinks fit together
  std::vector<Class> classes_;                 ///< in reverse order of choice
  WholeBytes later_sram_ = 0;                  ///< SRAM of all sinks of the classes found so far
  std::vector<Candidate> candidates_;
  std::vector<SinkOption> current_;
  std::vector<SinkOption> extended_;
};

}  // namespace dfsweep::dataflow
