/// PartitionInstance: a partition problem in integer ticks and bytes and in bit sets, the input of the exact search.
///
/// Times are rounded to ticks, a power of two of a second such that the whole problem takes about 2^58 ticks. Sums and
/// maxima are then exact: no result depends on the order of additions, and ties are exact. The rounding error, about
/// (kernels + edges) ticks, is below that of a sum of doubles.
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
  WholeBytes sram_change;  ///< change for a partition with the source when the destination joins: inside - 2 boundary
};

struct PartitionInstance {
  explicit PartitionInstance(const PartitionProblem& problem);

  std::size_t kernels = 0;
  KernelSet all = 0;
  KernelSet forward = 0;
  /// Kernels without consumers and without successors by the pass rule: they may join any partition once ready.
  KernelSet sinks = 0;
  std::array<std::uint8_t, most_kernels> order{};      ///< a topological order: lowest ready kernel first
  bool apart = false;                                  ///< no partition has kernels of both passes
  std::array<KernelSet, most_kernels> predecessors{};  ///< producers, and kernels that the pass rule puts before
  std::array<KernelSet, most_kernels> consumers{};     ///< kernels of which this one is a predecessor

  // [kernel], changes when it joins a partition without producers of it.
  std::array<Ticks, most_kernels> compute{};  ///< in the cycle model: a lower bound
  std::array<Ticks, most_kernels> network{};
  std::array<Ticks, most_kernels> memory{};    ///< traffic of the kernel and of all its edges
  std::array<Ticks, most_kernels> arriving{};  ///< traffic of its incoming edges
  std::array<Ticks, most_kernels> leaving{};

  // Bounds of the remaining kernels. A solitary kernel fits into no partition with another one, so its time is fixed;
  // the other kernels share compute, network and unavoidable traffic.
  KernelSet solitary = 0;
  std::array<Ticks, most_kernels> solitary_time{};  ///< time of its partition; 0 for the others
  std::array<Ticks, most_kernels> due_compute{};    ///< 0 for solitary kernels
  std::array<Ticks, most_kernels> due_network{};    ///< 0 for solitary kernels
  std::array<Ticks, most_kernels> due_memory{};     ///< change of the remaining traffic when the kernel is done
  std::array<WholeBytes, most_kernels> live_arriving{};
  std::array<WholeBytes, most_kernels> live_leaving{};
  std::array<WholeBytes, most_kernels> sram{};  ///< of the kernel and the boundary of all its edges
  std::array<WholeBytes, most_kernels> sram_alone{};
  std::vector<Arrival> arrivals;
  std::array<std::uint32_t, most_kernels + 1> first_arrival{};  ///< [kernel] range in `arrivals`

  Ticks total_solitary = 0;
  Ticks total_compute = 0;
  Ticks total_network = 0;
  Ticks total_memory = 0;         ///< unavoidable traffic
  std::vector<char> unavoidable;  ///< [edge of the problem] in every mapping its ends are in different partitions
  WholeBytes sram_capacity = int_infinity;
  WholeBytes live_capacity = int_infinity;
  bool live_binds = false;  ///< the capacity is below the sum of all tensors
  Overlap overlap = Overlap::perfect;
  CountRule count_rule = CountRule::any;
  std::size_t count = 0;

  // Cycle model.
  std::int64_t cores = 0;
  CoreLevels levels;
  CoreTable core_table;  ///< empty where there are many kinds or solitary kernels

  /// [class] Symmetric sinks: same amounts, same sum of incoming amounts.
  std::vector<KernelSet> symmetric;
  std::vector<KernelSet> interchangeable;                    ///< classes with several members
  std::array<std::uint8_t, most_kernels> symmetric_class{};  ///< [sink] index into `symmetric`

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
  /// Lower bound on the time of all mappings.
  [[nodiscard]] Ticks least() const { return total_solitary + combine(total_compute, total_memory, total_network); }

 private:
  void read_order(const PartitionProblem& problem);
  void find_order();
  void read_amounts(const PartitionProblem& problem);
  void read_edges(const PartitionProblem& problem);
  void read_choices(const PartitionProblem& problem);
  void find_solitary();
  void find_unavoidable(const PartitionProblem& problem);
  void find_symmetric();
  Ticks ticks(Seconds time) const { return whole_ticks(time, seconds_per_tick); }
};

}  // namespace dfsweep::dataflow
