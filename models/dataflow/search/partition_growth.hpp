/// Growth: a partition under construction with its amounts, updated kernel by kernel.
#pragma once

#include <algorithm>

#include "models/dataflow/search/partition_instance.hpp"
#include "models/dataflow/search/partition_point.hpp"

namespace dfsweep::dataflow {

/// A partition under construction that follows the set `done`.
struct Growth {
  KernelSet inside = 0;
  KernelSet ready = 0;  ///< kernels with consumers that may join and are not ruled out
  KernelSet ready_sinks = 0;
  KernelSet ruled_out = 0;  ///< ready kernels excluded in this branch
  Ticks compute = 0;        ///< compute of the partition
  Ticks memory = 0;
  Ticks network = 0;
  // Amounts to subtract from the bounds of the remaining kernels.
  Ticks solitary_due = 0;
  Ticks compute_due = 0;
  Ticks network_due = 0;
  Ticks memory_due = 0;  ///< a change of either sign: traffic may become due
  WholeBytes sram = 0;
  WholeBytes live = 0;         ///< its tensors that are kept for later partitions
  WholeBytes live_change = 0;  ///< tensors alive after it minus tensors alive before it
  std::size_t level = 0;       ///< cycle model: index of `compute` in the levels
  std::uint32_t held = 0;      ///< cycle model: index of its kernels in the core table
};

/// Amounts that a joining kernel shares with the partition.
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
    if ((growth.inside & instance_.predecessors[kernel]) == 0) return join;
    for (std::uint32_t a = instance_.first_arrival[kernel]; a < instance_.first_arrival[kernel + 1]; ++a) {
      const Arrival& arrival = instance_.arrivals[a];
      const std::int64_t mask = -static_cast<std::int64_t>(growth.inside >> arrival.source & 1U);
      join.shared += arrival.traffic & mask;
      join.shared_live += arrival.live & mask;
      join.sram += arrival.sram_change & mask;
    }
    return join;
  }

  /// Amounts of `growth` with `kernel` added; the caller updates the ready kernels.
  [[nodiscard]] Growth joined(const Growth& growth, std::size_t kernel, const Joining& join) const {
    return joined_symmetric(growth, just(kernel), 1, join);
  }

  /// Amounts of `growth` with `count` symmetric kernels added, which share the sums `join` with it. All members are
  /// computed at once, because modifying a copy would stall on store-to-load forwarding.
  [[nodiscard]] Growth joined_symmetric(const Growth& growth, KernelSet kernels, std::int64_t count,
                                        const Joining& join) const {
    const std::size_t kernel = lowest(kernels);
    Growth grown{
        .inside = growth.inside | kernels,
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

  /// Lower bounds, except for memory, on the amounts of `growth` with at least `count` more sinks of this class.
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

  /// The complete partition `inside`. Kernels join in topological order, so that each edge is counted at its
  /// destination.
  [[nodiscard]] Growth grown(KernelSet inside) const {
    Growth growth;
    for (std::size_t i = 0; i < instance_.kernels; ++i) {
      const std::size_t kernel = instance_.order[i];
      if (contains(inside, just(kernel))) growth = joined(growth, kernel, joining(growth, kernel));
    }
    return growth;
  }

  /// Whether the partition fits in SRAM; a single kernel may need less than as part of a larger partition.
  [[nodiscard]] bool fits(const Growth& growth) const {
    if (growth.compute >= int_infinity) return false;
    if (growth.sram <= instance_.sram_capacity) return true;
    return is_single(growth.inside) && fits_alone(lowest(growth.inside));
  }
  [[nodiscard]] bool fits_alone(std::size_t kernel) const {
    return instance_.sram_alone[kernel] <= instance_.sram_capacity;
  }

  [[nodiscard]] Ticks time(const Growth& growth) const {
    return instance_.combine(growth.compute, growth.memory, growth.network);
  }

  /// Whether the slack rule requires that `kernel`, which is ready but excluded, joins.
  [[nodiscard]] bool belongs(const Growth& growth, std::size_t kernel) const {
    if (instance_.live_binds && instance_.leaving[kernel] > 0) return false;
    const bool additive = instance_.overlap == Overlap::none;
    // Elsewhere it costs its own traffic and arriving tensors, and saves at most its leaving tensors.
    if (!additive && 2 * instance_.leaving[kernel] > instance_.memory[kernel]) return false;
    // The time that must not grow: the whole time under perfect overlap, the hidden part with an exposed network.
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
  /// Updates compute after `count` symmetric kernels joined.
  void share_cores(Growth& grown, std::size_t kernel, std::int64_t count) const {
    if (instance_.core_table.empty()) return search_level(grown);
    grown.held += static_cast<std::uint32_t>(count) * instance_.core_table.step(kernel);
    grown.compute = instance_.core_table.compute(grown.held);
  }

  /// Finds the lowest level at which all kernels inside have cores, starting from the level of the previous subset.
  void search_level(Growth& grown) const {
    const CoreLevels& levels = instance_.levels;
    const auto lacks_cores = [&](std::size_t level) {
      std::int64_t sum = 0;
      for (KernelSet rest = grown.inside; rest != 0; rest &= rest - 1)
        sum += levels.cores_for(level, levels.kind_of(lowest(rest)));
      return sum > instance_.cores;
    };
    std::size_t low = grown.level;
    std::size_t high = levels.count();
    for (std::size_t step = 1; low + step < high; step *= 2) {
      if (lacks_cores(low + step - 1)) {
        low += step;
        continue;
      }
      high = low + step - 1;
      break;
    }
    low = partition_point(low, high, lacks_cores);
    grown.level = std::min(low, levels.count() - 1);
    grown.compute = low < levels.count() ? levels.time(low) : int_infinity;
  }

  const PartitionInstance& instance_;
};

}  // namespace dfsweep::dataflow
