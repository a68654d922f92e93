/// Growth: a partition under construction and what it takes, kernel by kernel.
#pragma once

#include <algorithm>

#include "models/dataflow/search/first_that.hpp"
#include "models/dataflow/search/partition_instance.hpp"

namespace dfsweep::dataflow {

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
  std::uint32_t held = 0;      ///< cycle model: index of the kernels inside in the core table
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
    if ((growth.inside & instance_.awaits[kernel]) == 0) return join;
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
    return joined_alike(growth, just(kernel), 1, join);
  }

  /// Amounts of `growth` with `count` alike kernels in it that share these sums with it. Written as a whole and not as
  /// a copy that is changed: reading back what was just copied makes the processor wait.
  [[nodiscard]] Growth joined_alike(const Growth& growth, KernelSet alike, std::int64_t count,
                                    const Joining& join) const {
    const std::size_t kernel = lowest(alike);
    Growth grown{
        .inside = growth.inside | alike,
        .ready = growth.ready,
        .ready_sinks = growth.ready_sinks,
        .ruled_out = growth.ruled_out,
        .compute = growth.compute + count * instance_.compute[kernel],
        .memory = growth.memory + count * instance_.memory[kernel] - 2 * join.shared,
        .network = growth.network + count * instance_.network[kernel],
        .solitary_due = growth.solitary_due + count * instance_.solitary_time[kernel],
        .compute_due = growth.compute_due + count * instance_.due_compute[kernel],
        .network_due = growth.network_due + count * instance_.due_network[kernel],
        .memory_due = growth.memory_due + count * instance_.due_memory[kernel],
        .sram = growth.sram + join.sram,
        .live = growth.live + count * instance_.live_leaving[kernel] - join.shared_live,
        .live_change = growth.live_change + count * (instance_.live_leaving[kernel] - instance_.live_arriving[kernel]),
        .level = growth.level,
        .held = growth.held,
    };
    if (instance_.cores != 0) share_cores(grown, kernel, count);
    return grown;
  }

  /// A lower bound, in all but memory, of `growth` with at least `count` more sinks like this one in it.
  [[nodiscard]] Growth with_at_least(const Growth& growth, std::size_t sink, std::int64_t count) const {
    Growth grown = growth;
    grown.network += count * instance_.network[sink];
    grown.compute_due += count * instance_.due_compute[sink];
    grown.network_due += count * instance_.due_network[sink];
    if (instance_.cores == 0)
      grown.compute += count * instance_.compute[sink];
    else if (!instance_.core_table.empty())
      share_cores(grown, sink, count);
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
  /// After `count` alike kernels were put inside.
  void share_cores(Growth& grown, std::size_t kernel, std::int64_t count) const {
    if (instance_.core_table.empty()) return search_level(grown);
    grown.held += static_cast<std::uint32_t>(count) * instance_.core_table.step(kernel);
    grown.compute = instance_.core_table.compute(grown.held);
  }

  /// Least level at which all kernels inside have cores; it cannot be below that of a part.
  void search_level(Growth& grown) const {
    const CoreLevels& levels = instance_.levels;
    const auto fit = [&](std::size_t level) {
      std::int64_t sum = 0;
      for (KernelSet rest = grown.inside; rest != 0; rest &= rest - 1)
        sum += levels.cores_for(level, levels.kind_of(lowest(rest)));
      return sum <= instance_.cores;
    };
    std::size_t low = grown.level;
    std::size_t high = levels.count();
    for (std::size_t step = 1; low + step < high; step *= 2) {
      if (!fit(low + step - 1)) {
        low += step;
        continue;
      }
      high = low + step - 1;
      break;
    }
    low = first_that(low, high, fit);
    grown.level = std::min(low, levels.count() - 1);
    grown.compute = low < levels.count() ? levels.time(low) : endless;
  }

  const PartitionInstance& instance_;
};

}  // namespace dfsweep::dataflow
