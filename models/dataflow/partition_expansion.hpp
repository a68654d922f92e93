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

#include "models/dataflow/sink_options.hpp"

namespace dfsweep {

/// Calls visit(const Growth&) for every partition that may follow `done` and for which promising(const Growth&) holds,
/// until it returns false.
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
    sinks_.find(growth);
    choose_sinks(growth, 0);
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

  void choose_sinks(const Growth& growth, std::size_t alike_class) {
    if (alike_class == sinks_.classes()) return finish(growth);
    for (const SinkOption& option : sinks_.of(alike_class)) {
      if (stopped_) return;
      Growth grown = growth;
      if (option.count > 0)
        grown =
            rules_.joined_alike(growth, option.inside, option.count, {option.shared, option.shared_live, option.sram});
      if (!rules_.fits(grown)) continue;
      grown.ruled_out |= option.left_out;
      choose_sinks(grown, alike_class + 1);
    }
  }

  void finish(const Growth& growth) {
    if (growth.inside == 0) return;
    ++nodes_;
    if (!promising_(growth)) return;
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

}  // namespace dfsweep
