/// Expansion: every partition that may come next after a set of finished kernels, each once, grown kernel by kernel.
///
/// A partition that is certain to be no better than another one is left out. The rules, each with the reason why some
/// optimal mapping survives it (moving a kernel to an earlier partition ends, as does exchanging for a lower number):
///
/// * SRAM: a partition never needs less than a part of it, so what does not fit is not grown.
/// * Alike sinks: of sinks with equal amounts those join that share most traffic with the partition (SinkOptions).
///   Exchanging two of them changes nothing else.
/// * Slack: a kernel that could join without making compute or memory (or the maximum that hides them) longer joins,
///   if doing so can only shorten the partition that it would otherwise lie in.
#pragma once

#include "models/dataflow/search/sink_options.hpp"

namespace dfsweep::dataflow {

/// Calls visit(const Growth&) for every partition that may follow `done` and for which promising(const Growth&,
/// MoreSinks
/// {}) holds, until it returns false. promising(growth, more) may be false where it is so for `growth` with any of the
/// sinks `more`.
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
      if (contains(done_, instance_.awaits[lowest(rest)])) start.ready |= rest & -rest;
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
      if (contains(finished, instance_.awaits[lowest(rest)])) {
        const KernelSet one = rest & -rest;
        (contains(instance_.sinks, one) ? grown.ready_sinks : grown.ready) |= one;
      }
  }

  /// All ways to add ready sinks to a partition whose other kernels are settled.
  void add_sinks(const Growth& growth) {
    if (growth.ready_sinks == 0) return finish(growth);
    if (growth.inside == 0) add_solitary(growth);
    MoreSinks more;
    for (KernelSet rest = growth.ready_sinks & ~instance_.solitary; rest != 0;) {
      const KernelSet members = rest & instance_.alike[instance_.alike_of[lowest(rest)]];
      more.add(instance_, lowest(members), std::popcount(members));
      rest &= ~members;
    }
    if (!promising_(growth, more)) return;
    sinks_.find(growth);
    if (sinks_.classes() == 0) return finish(growth);
    choose_sinks(growth, 0, more);
  }

  /// Sinks that fit into no partition with another kernel; one stands for all that are alike.
  void add_solitary(const Growth& growth) {
    KernelSet rest = growth.ready_sinks & instance_.solitary;
    while (rest != 0) {
      const std::size_t sink = lowest(rest);
      const Growth grown = rules_.joined(growth, sink, rules_.joining(growth, sink));
      if (rules_.fits(grown)) finish(grown);
      rest &= ~instance_.alike[instance_.alike_of[sink]];
    }
  }

  /// `more`: all that may join from `alike_class` on.
  void choose_sinks(const Growth& growth, std::size_t alike_class, MoreSinks more) {
    const std::size_t sink = sinks_.sink_of(alike_class);
    const std::int64_t most = sinks_.most_of(alike_class);
    const bool many = most > 3;  // otherwise it is as quick to try
    const std::int64_t last = many ? most_promising(growth, sink, most, more) : most;
    more.add(instance_, sink, -most);
    const std::int64_t first = many ? fewest_promising(growth, sink, most, more) : 0;
    const bool is_last_class = alike_class + 1 == sinks_.classes();
    const std::span<const SinkOption> options = sinks_.of(alike_class);
    for (std::size_t i = 0; i < options.size() && !stopped_; ++i) {
      const SinkOption& option = options[i];
      if (option.count < first || option.count > last) continue;
      if (i + 1 < options.size() && sinks_.gives_way(growth, alike_class, option, options[i + 1])) continue;
      const Joining join{option.shared, option.shared_live, option.sram};
      Growth grown = option.count > 0 ? rules_.joined_alike(growth, option.inside, option.count, join) : growth;
      if (!rules_.fits(grown)) continue;
      grown.ruled_out |= option.left_out;
      if (is_last_class)
        finish(grown);
      else if (promising_(grown, more))
        choose_sinks(grown, alike_class + 1, more);
    }
  }

  /// Fewer sinks of a class leave too much for later, whichever of `more` join too.
  [[nodiscard]] std::int64_t fewest_promising(const Growth& growth, std::size_t sink, std::int64_t most,
                                              const MoreSinks& more) const {
    return first_that<std::int64_t>(0, most, [&](std::int64_t count) {
      MoreSinks with = more;
      with.add(instance_, sink, count);
      return promising_(growth, with);
    });
  }

  /// More sinks of a class make the partition too long, which is seldom; `more` holds all of them.
  [[nodiscard]] std::int64_t most_promising(const Growth& growth, std::size_t sink, std::int64_t most,
                                            const MoreSinks& more) const {
    const auto promising_without = [&](std::int64_t left_out) {
      MoreSinks with = more;
      with.add_times(instance_, sink, left_out - most);
      return promising_(rules_.with_at_least(growth, sink, most - left_out), with);
    };
    return promising_without(0) ? most : most - first_that<std::int64_t>(1, most, promising_without);
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
