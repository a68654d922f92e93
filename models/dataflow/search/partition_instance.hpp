/// PartitionInstance: a partition problem in whole ticks and bytes and in bit sets, as the exact search reads it.
///
/// Times are rounded to ticks of a power of two of a second, fine enough that all of a problem is about 2^58 of them:
/// sums and maxima are then exact, so that no result depends on the order of additions, and equal is equal. What the
/// rounding may cost, about (kernels + edges) ticks, is below the rounding of a sum of doubles.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/dataflow/search/core_levels.hpp"
#include "models/dataflow/search/core_table.hpp"
#include "models/dataflow/search/partition_problem.hpp"
#include "models/dataflow/search/ticks.hpp"

namespace dfsweep::dataflow {

constexpr KernelSet just(std::size_t kernel) {
  return KernelSet{1} << kernel;
}
constexpr std::size_t lowest(KernelSet set) {
  return static_cast<std::size_t>(std::countr_zero(set));
}
constexpr bool is_single(KernelSet set) {
  return set != 0 && (set & (set - 1)) == 0;
}
constexpr bool contains(KernelSet set, KernelSet part) {
  return (part & ~set) == 0;
}

/// An edge seen from its destination.
struct Arrival {
  std::uint32_t source;
  Ticks traffic;  ///< one way
  WholeBytes live;
  WholeBytes sram_change;  ///< of a partition with the source when the destination joins: inside - 2 boundary
};

struct PartitionInstance {
  explicit PartitionInstance(const PartitionProblem& problem);

  std::size_t kernels = 0;
  KernelSet all = 0;
  KernelSet forward = 0;
  /// Kernels without consumers that no pass rule makes others wait for: they may join any partition once ready.
  KernelSet sinks = 0;
  std::array<std::uint8_t, most_kernels> order{};   ///< a topological order: lowest ready kernel first
  bool apart = false;                               ///< no partition holds both passes
  std::array<KernelSet, most_kernels> awaits{};     ///< producers, and what the pass rule puts before
  std::array<KernelSet, most_kernels> consumers{};  ///< kernels whose `awaits` holds this one

  // [kernel], as changes when it joins a partition none of whose members feeds it.
  std::array<Ticks, most_kernels> compute{};  ///< in the cycle model: what it adds at least
  std::array<Ticks, most_kernels> network{};
  std::array<Ticks, most_kernels> memory{};    ///< own traffic and that of all its edges
  std::array<Ticks, most_kernels> arriving{};  ///< traffic of the edges into it
  std::array<Ticks, most_kernels> leaving{};

  // Bounds of what remains. A kernel that fits into no partition with another one takes its time, whatever the rest
  // does; the other kernels share what is left of compute, network and unavoidable traffic.
  KernelSet solitary = 0;
  std::array<Ticks, most_kernels> solitary_time{};  ///< of its partition; 0 for the others
  std::array<Ticks, most_kernels> due_compute{};    ///< 0 for solitary kernels
  std::array<Ticks, most_kernels> due_network{};    ///< 0 for solitary kernels
  std::array<Ticks, most_kernels> due_memory{};     ///< change of the traffic of what remains when it is done
  std::array<WholeBytes, most_kernels> live_arriving{};
  std::array<WholeBytes, most_kernels> live_leaving{};
  std::array<WholeBytes, most_kernels> sram{};  ///< own and boundary of all its edges
  std::array<WholeBytes, most_kernels> sram_alone{};
  std::vector<Arrival> arrivals;
  std::array<std::uint32_t, most_kernels + 1> first_arrival{};  ///< [kernel] range in `arrivals`

  Ticks total_solitary = 0;
  Ticks total_compute = 0;
  Ticks total_network = 0;
  Ticks total_memory = 0;         ///< unavoidable
  std::vector<char> unavoidable;  ///< [edge of the problem] its ends lie in different partitions of every mapping
  WholeBytes sram_capacity = endless;
  WholeBytes live_capacity = endless;
  bool live_binds = false;  ///< the capacity is below the sum of all tensors
  Overlap overlap = Overlap::perfect;
  CountRule count_rule = CountRule::any;
  std::size_t count = 0;

  // Cycle model.
  std::int64_t cores = 0;
  CoreLevels levels;
  CoreTable core_table;  ///< empty where kernels are of many kinds, or some are solitary

  /// Classes of interchangeable sinks: same amounts, same sum of arriving amounts. [class] members.
  std::vector<KernelSet> alike;
  std::vector<KernelSet> interchangeable;             ///< those of several members
  std::array<std::uint8_t, most_kernels> alike_of{};  ///< [sink] index into `alike`

  double seconds_per_tick = 1.0;

  [[nodiscard]] Ticks combine(Ticks compute_ticks, Ticks memory_ticks, Ticks network_ticks) const {
    switch (overlap) {
      case Overlap::perfect:
        return std::max(std::max(compute_ticks, memory_ticks), network_ticks);
      case Overlap::none:
        return compute_ticks + memory_ticks + network_ticks;
      case Overlap::network_exposed:
        return std::max(compute_ticks, memory_ticks) + network_ticks;
    }
    return 0;
  }
  /// No mapping takes less.
  [[nodiscard]] Ticks least() const { return total_solitary + combine(total_compute, total_memory, total_network); }

 private:
  void read_order(const PartitionProblem& problem);
  void find_order();
  void read_amounts(const PartitionProblem& problem);
  void read_edges(const PartitionProblem& problem);
  void read_choices(const PartitionProblem& problem);
  void find_solitary();
  void find_unavoidable(const PartitionProblem& problem);
  void find_alike();
  Ticks ticks(Seconds time) const { return whole_ticks(time, seconds_per_tick); }
};

}  // namespace dfsweep::dataflow
