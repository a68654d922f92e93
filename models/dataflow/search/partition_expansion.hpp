/// Expansion: enumerates every partition that may follow a set of finished kernels, once each, grown kernel by kernel.
///
/// Dominated partitions are skipped. The rules, each with the reason why some optimal mapping survives it (repeated
/// moves to earlier partitions, or exchanges for lower numbers, terminate):
///
/// * SRAM: a partition needs at least the SRAM of each subset, so a set that does not fit is not grown.
/// * Symmetric sinks: among sinks with equal amounts, those that share most traffic with the partition join first
///   (SinkOptions). Exchanging two of them has no other effect.
/// * Slack: a kernel joins if this does not lengthen compute or memory (or the maximum that hides them) and can only
///   shorten its alternative partition.
#pragma once

#include <algorithm>

#include "models/dataflow/search/partition_point.hpp"
#include "models/dataflow/search/sink_options.hpp"

namespace dfsweep::dataflow {

/// Calls visit(const Growth&) for every partition that may follow `done` and is promising(const Growth&, MoreSinks{}),
/// until visit returns false. promising(growth, more) may return false only if it is false for `growth` with every
/// subset of the sinks `more`.
template <class Promising, class Visit>
class Expansion {
 public:
  Expansion(const PartitionInstance& instance, KernelSet done, std::int64_t& nodes, Promising promising, Visit visit)
      : instance_(instance),
        rules_(instance),
        sinks_(instance),
        done_(done),
        nodes_(nodes),
        promising_(promising),
        visit_(visit),
        use_slack_(instance.count_rule != CountRule::exactly) {}

  void run() {
    KernelSet allowed = ~KernelSet{0};
    if (instance_.apart && !contains(done_, instance_.forward)) allowed = instance_.forward;
    allowed_ = allowed;
    Growth start;
    for (KernelSet rest = instance_.all & ~done_ & allowed; rest != 0; rest &= rest - 1)
      if (contains(done_, instance_.predecessors[lowest(rest)])) start.ready |= rest & -rest;
    start.ready_sinks = start.ready & instance_.sinks;
    start.ready &= ~instance_.sinks;
    grow(start);
  }

 private:
  void grow(const Growth& growth) {
    add_sinks(growth);
    Growth branch = growth;
    while (branch.ready != 0 && !stopped_) {
      const std::size_t kernel = lowest(branch.ready);
      branch.ready &= branch.ready - 1;
      Growth grown = rules_.joined(branch, kernel, rules_.joining(branch, kernel));
      if (rules_.fits(grown)) {
        open_consumers(grown, kernel);
        grow(grown);
      }
      branch.ruled_out |= just(kernel);
    }
  }

  void open_consumers(Growth& grown, std::size_t kernel) const {
    const KernelSet finished = done_ | grown.inside;
    for (KernelSet rest = instance_.consumers[kernel] & allowed_; rest != 0; rest &= rest - 1)
      if (contains(finished, instance_.predecessors[lowest(rest)])) {
        const KernelSet one = rest & -rest;
        (contains(instance_.sinks, one) ? grown.ready_sinks : grown.ready) |= one;
      }
  }

  /// Enumerates the ready sinks to add to a partition whose other kernels are fixed.
  void add_sinks(const Growth& growth) {
    if (growth.ready_sinks == 0) return finish(growth);
    if (growth.inside == 0) add_solitary(growth);
    MoreSinks more;
    for (KernelSet rest = growth.ready_sinks & ~instance_.solitary; rest != 0;) {
      const KernelSet members = rest & instance_.symmetric[instance_.symmetric_class[lowest(rest)]];
      more.add(instance_, lowest(members), std::popcount(members));
      rest &= ~members;
    }
    if (!promising_(growth, more)) return;
    sinks_.find(growth);
    if (sinks_.classes() == 0) return finish(growth);
    choose_sinks(growth, 0, more);
  }

  /// Adds solitary sinks, which fit into no partition with another kernel; one per class of symmetric sinks is enough.
  void add_solitary(const Growth& growth) {
    KernelSet rest = growth.ready_sinks & instance_.solitary;
    while (rest != 0) {
      const std::size_t sink = lowest(rest);
      const Growth grown = rules_.joined(growth, sink, rules_.joining(growth, sink));
      if (rules_.fits(grown)) finish(grown);
      rest &= ~instance_.symmetric[instance_.symmetric_class[sink]];
    }
  }

  /// `more`: all sinks of the classes from `sink_class` on.
  void choose_sinks(const Growth& growth, std::size_t sink_class, MoreSinks more) {
    const std::size_t sink = sinks_.sink_of(sink_class);
    const std::int64_t most = sinks_.most_of(sink_class);
    const bool many = most > 3;  // otherwise trying every count is as fast
    const std::int64_t last = many ? most_promising(growth, sink, most, more) : most;
    more.add(instance_, sink, -most);
    const std::int64_t first = many ? fewest_promising(growth, sink, most, more) : 0;
    const bool is_last_class = sink_class + 1 == sinks_.classes();
    const std::span<const SinkOption> options = sinks_.of(sink_class);
    for (std::size_t i = 0; i < options.size() && !stopped_; ++i) {
      const SinkOption& option = options[i];
      if (option.count < first || option.count > last) continue;
      if (i + 1 < options.size() && sinks_.gives_way(growth, sink_class, option, options[i + 1])) continue;
      const Joining join{option.shared, option.shared_live, option.sram};
      Growth grown = option.count > 0 ? rules_.joined_symmetric(growth, option.inside, option.count, join) : growth;
      if (!rules_.fits(grown)) continue;
      grown.ruled_out |= option.left_out;
      if (is_last_class)
        finish(grown);
      else if (promising_(grown, more))
        choose_sinks(grown, sink_class + 1, more);
    }
  }

  /// Lower bound on the count of sinks of a class: fewer leave too much work for later, for every subset of `more`.
  [[nodiscard]] std::int64_t fewest_promising(const Growth& growth, std::size_t sink, std::int64_t most,
                                              const MoreSinks& more) const {
    return partition_point(std::int64_t{0}, most, [&](std::int64_t count) {
      MoreSinks with = more;
      with.add(instance_, sink, count);
      return !promising_(growth, with);
    });
  }

  /// Upper bound on the count of sinks of a class: more make the partition too long, which is rare. `more` contains all
  /// of them.
  [[nodiscard]] std::int64_t most_promising(const Growth& growth, std::size_t sink, std::int64_t most,
                                            const MoreSinks& more) const {
    const auto is_too_many_without = [&](std::int64_t left_out) {
      MoreSinks with = more;
      with.add_times(instance_, sink, left_out - most);
      return !promising_(rules_.with_at_least(growth, sink, most - left_out), with);
    };
    if (!is_too_many_without(0)) return most;
    return most - partition_point(std::int64_t{1}, most, is_too_many_without);
  }

  void finish(const Growth& growth) {
    if (growth.inside == 0) return;
    ++nodes_;
    if (!promising_(growth, MoreSinks{})) return;
    if (use_slack_)
      for (KernelSet rest = growth.ruled_out | growth.ready; rest != 0; rest &= rest - 1)
        if (rules_.belongs(growth, lowest(rest))) return;
    if (!visit_(growth)) stopped_ = true;
  }

  const PartitionInstance& instance_;
  GrowthRules rules_;
  SinkOptions sinks_;
  KernelSet done_;
  KernelSet allowed_ = 0;
  std::int64_t& nodes_;
  Promising promising_;
  Visit visit_;
  bool use_slack_;
  bool stopped_ = false;
};

}  // namespace dfsweep::dataflow
