/// Expansion: every partition that may come next after a set of finished kernels, each once, grown kernel by kernel.
///
/// A partition that is certain to be no better than another one is left out. The rules, each with the reason why some
/// optimal mapping survives it (moving a kernel to an earlier partition ends, as does exchanging for a lower number):
///
/// * SRAM: a partition never needs less than a part of it, so what does not fit is not grown.
/// * Alike sinks: of sinks with equal amounts that also share equal traffic with the partition, the one that needs
///   least SRAM joins first. Exchanging two of them changes no time.
/// * Slack: a kernel that could join without making compute or memory (or the maximum that hides them) longer joins,
///   if doing so can only shorten the partition that it would otherwise lie in.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "models/dataflow/partition_instance.hpp"

namespace dfsweep {

/// A partition under construction, after `done`.
struct Growth {
  KernelSet inside = 0;
  KernelSet ready = 0;  ///< kernels with consumers that may join and have not been ruled out
  KernelSet ready_sinks = 0;
  KernelSet ruled_out = 0;  ///< ready kernels that this branch leaves out
  Ticks compute = 0;        ///< of the partition
  Ticks memory = 0;
  Ticks network = 0;
  // What it takes from the bounds of what remains.
  Ticks solitary_due = 0;
  Ticks compute_due = 0;
  Ticks network_due = 0;
  Ticks memory_due = 0;  ///< as a change: traffic may become due
  WholeBytes sram = 0;
  WholeBytes live = 0;         ///< its tensors that are kept for others
  WholeBytes live_change = 0;  ///< tensors alive after it less those alive before
  std::size_t level = 0;       ///< cycle model: index of `compute` in the levels
};

/// What joining would share with the partition.
struct Joining {
  Ticks shared;
  WholeBytes shared_live;
  WholeBytes sram;
};

class GrowthRules {
 public:
  explicit GrowthRules(const PartitionInstance& instance) : instance_(instance) {}

  [[nodiscard]] Joining joining(const Growth& growth, std::size_t kernel) const {
    Joining join{0, 0, instance_.sram[kernel]};
    for (std::uint32_t a = instance_.first_arrival[kernel]; a < instance_.first_arrival[kernel + 1]; ++a) {
      const Arrival& arrival = instance_.arrivals[a];
      const std::int64_t mask = -static_cast<std::int64_t>(growth.inside >> arrival.source & 1U);
      join.shared += arrival.traffic & mask;
      join.shared_live += arrival.live & mask;
      join.sram += arrival.sram_change & mask;
    }
    return join;
  }

  /// Amounts of `growth` with `kernel` in it; which kernels are ready is left to the caller.
  [[nodiscard]] Growth joined(const Growth& growth, std::size_t kernel, const Joining& join) const {
    Growth grown = growth;
    grown.inside |= just(kernel);
    grown.network += instance_.network[kernel];
    grown.memory += instance_.memory[kernel] - 2 * join.shared;
    grown.memory_due += instance_.due_memory[kernel];
    grown.solitary_due += instance_.solitary_time[kernel];
    grown.compute_due += instance_.due_compute[kernel];
    grown.network_due += instance_.due_network[kernel];
    grown.sram += join.sram;
    grown.live += instance_.live_leaving[kernel] - join.shared_live;
    grown.live_change += instance_.live_leaving[kernel] - instance_.live_arriving[kernel];
    if (instance_.cores == 0)
      grown.compute += instance_.compute[kernel];
    else
      share_cores(grown);
    return grown;
  }

  /// The partition `inside` as a whole. Its kernels are joined in topological order, so that edges are met at their
  /// ends.
  [[nodiscard]] Growth grown(KernelSet inside) const {
    Growth growth;
    for (std::size_t i = 0; i < instance_.kernels; ++i) {
      const std::size_t kernel = instance_.order[i];
      if (contains(inside, just(kernel))) growth = joined(growth, kernel, joining(growth, kernel));
    }
    return growth;
  }

  /// Whether it fits the SRAM; a kernel alone may need less than as part of more.
  [[nodiscard]] bool fits(const Growth& growth) const {
    if (growth.compute >= endless) return false;
    if (growth.sram <= instance_.sram_capacity) return true;
    return is_single(growth.inside) && fits_alone(lowest(growth.inside));
  }
  [[nodiscard]] bool fits_alone(std::size_t kernel) const {
    return instance_.sram_alone[kernel] <= instance_.sram_capacity;
  }

  [[nodiscard]] Ticks time(const Growth& growth) const {
    return instance_.combine(growth.compute, growth.memory, growth.network);
  }

  /// Whether `kernel`, ready and left out, should have joined by the slack rule.
  [[nodiscard]] bool belongs(const Growth& growth, std::size_t kernel) const {
    if (instance_.live_binds && instance_.leaving[kernel] > 0) return false;
    const bool additive = instance_.overlap == Overlap::none;
    // In its own partition it costs own traffic and arriving tensors, and at most spares those that leave it.
    if (!additive && 2 * instance_.leaving[kernel] > instance_.memory[kernel]) return false;
    // What must not grow: all of a partition that overlaps perfectly, the hidden part of one with exposed network.
    const bool exposed = instance_.overlap == Overlap::network_exposed;
    const Ticks limit = exposed ? std::max(growth.compute, growth.memory) : time(growth);
    const Ticks network = exposed ? 0 : growth.network + instance_.network[kernel];
    if (!additive && (network > limit || (instance_.cores == 0 && growth.compute + instance_.compute[kernel] > limit)))
      return false;
    const Joining join = joining(growth, kernel);
    if (growth.sram + join.sram > instance_.sram_capacity) return false;
    if (additive && instance_.leaving[kernel] > join.shared) return false;
    if (!additive && growth.memory + instance_.memory[kernel] - 2 * join.shared > limit) return false;
    if (instance_.cores == 0) return true;
    return joined(growth, kernel, join).compute <= (additive ? growth.compute : limit);
  }

 private:
  /// Least level at which all kernels inside have cores; it cannot be below that of a part.
  void share_cores(Growth& grown) const {
    const std::size_t width = instance_.kernels;
    const auto fit = [&](std::size_t level) {
      std::int64_t sum = 0;
      for (KernelSet rest = grown.inside; rest != 0; rest &= rest - 1)
        sum += instance_.cores_for[level * width + lowest(rest)];
      return sum <= instance_.cores;
    };
    std::size_t low = grown.level;
    std::size_t high = instance_.levels.size();
    for (std::size_t step = 1; low + step < high; step *= 2) {
      if (!fit(low + step - 1)) {
        low += step;
        continue;
      }
      high = low + step - 1;
      break;
    }
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (fit(middle))
        high = middle;
      else
        low = middle + 1;
    }
    grown.level = low;
    grown.compute = low < instance_.levels.size() ? instance_.levels[low] : endless;
    if (low == instance_.levels.size()) grown.level = low - 1;
  }

  const PartitionInstance& instance_;
};

/// Calls visit(const Growth&) for every partition that may follow `done` and for which promising(const Growth&) holds,
/// until it returns false.
template <class Promising, class Visit>
class Expansion {
 public:
  Expansion(const PartitionInstance& instance, KernelSet done, std::int64_t& nodes, Promising promising, Visit visit)
      : instance_(instance),
        rules_(instance),
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
  struct Choice {
    std::uint8_t sink;
    std::uint8_t alike;
    Joining join;
  };

  static bool interchangeable(const Choice& a, const Choice& b) {
    return a.alike == b.alike && a.join.shared == b.join.shared && a.join.shared_live == b.join.shared_live;
  }

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
    std::array<Choice, most_kernels> choices;
    std::size_t count = 0;
    for (KernelSet rest = growth.ready_sinks; rest != 0; rest &= rest - 1) {
      const std::size_t sink = lowest(rest);
      choices[count++] = {static_cast<std::uint8_t>(sink), instance_.alike_of[sink], rules_.joining(growth, sink)};
    }
    std::sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Choice& a, const Choice& b) {
                if (a.alike != b.alike) return a.alike < b.alike;
                if (a.join.shared != b.join.shared) return a.join.shared > b.join.shared;
                if (a.join.shared_live != b.join.shared_live) return a.join.shared_live > b.join.shared_live;
                if (a.join.sram != b.join.sram) return a.join.sram < b.join.sram;
                return a.sink < b.sink;
              });
    choose_sinks(growth, std::span(choices).first(count));
  }

  void choose_sinks(const Growth& growth, std::span<const Choice> choices) {
    if (stopped_) return;
    if (choices.empty()) return finish(growth);
    const Choice& first = choices.front();
    const Growth grown = rules_.joined(growth, first.sink, first.join);
    if (rules_.fits(grown)) choose_sinks(grown, choices.subspan(1));
    std::size_t same = 1;
    while (same < choices.size() && interchangeable(choices[same], first)) ++same;
    Growth left_out = growth;
    left_out.ruled_out |= just(first.sink);
    choose_sinks(left_out, choices.subspan(same));
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
  KernelSet done_;
  KernelSet allowed_ = 0;
  std::int64_t& nodes_;
  Promising promising_;
  Visit visit_;
  bool use_slack_;
  bool stopped_ = false;
};

}  // namespace dfsweep
