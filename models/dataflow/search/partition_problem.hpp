/// PartitionProblem: partitioning of a graph into sets of kernels that share a chip, and the cost of a solution.
///
/// This file defines the cost of a mapping, the reference for the search, its bounds and the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/dataflow/workload/graph.hpp"
#include "models/dataflow/workload/mapping.hpp"
#include "models/dataflow/workload/overlap.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// A set of kernels: bit k is kernel k.
using KernelSet = std::uint64_t;

constexpr bool holds(KernelSet set, std::size_t kernel) {
  return (set >> kernel & 1U) != 0;
}

/// One way to assign cores to a kernel: with `cores` cores it takes `time`.
struct CoreChoice {
  double cores = 1.0;  ///< whole, >= 1
  Seconds time;
  bool operator==(const CoreChoice&) const = default;
};

struct PartitionKernel {
  Seconds compute;   ///< on the whole chip, where kernels of a partition run in sequence; unused with `choices`
  Seconds network;   ///< collectives of the kernel and conversions of its output
  Bytes memory;      ///< DRAM traffic besides the edges
  Bytes sram;        ///< SRAM in use while its partition runs (weights)
  Bytes sram_alone;  ///< SRAM of a partition with this kernel only
  Pass pass = Pass::forward;
  std::vector<CoreChoice> choices;  ///< cycle model: more cores, less time; both strictly monotone
};

/// A tensor. Pre: sram_boundary <= sram_inside, so that a partition needs at least the SRAM of each subset.
struct PartitionEdge {
  std::size_t source = 0;
  std::size_t destination = 0;
  Bytes traffic;        ///< stored once and loaded once if its ends are in different partitions
  Bytes sram_inside;    ///< SRAM of a partition with both ends
  Bytes sram_boundary;  ///< SRAM of a partition with one end
};

/// Whether partitions may mix passes. Except with `free`, no backward kernel is in an earlier partition than a forward
/// one.
enum class PassMixing : std::uint8_t {
  separate,   ///< no partition has kernels of both passes
  one_mixed,  ///< at most one partition has kernels of both passes
  free,       ///< only the edges constrain the order
};

/// Constraint on the number of non-empty partitions.
enum class CountRule : std::uint8_t { any, at_most, exactly };

inline constexpr Bytes unlimited{std::numeric_limits<double>::infinity()};

struct PartitionProblem {
  std::vector<PartitionKernel> kernels;  ///< 1 to 64
  std::vector<PartitionEdge> edges;      ///< acyclic, at most one per pair of kernels
  Bandwidth dram_bandwidth{1.0};         ///< > 0
  Bytes sram_capacity = unlimited;       ///< per partition
  Bytes live_capacity = unlimited;       ///< for tensors in DRAM while a partition runs
  double cores = 0.0;                    ///< cycle model: cores of the chip; 0: `compute` is summed
  Overlap overlap = Overlap::perfect;
  PassMixing mixing = PassMixing::separate;
  CountRule count_rule = CountRule::any;
  std::size_t count = 0;  ///< for at_most and exactly
};

/// Cost of a partition with kernels `inside`, executed after `before`.
struct PartitionUse {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds time;  ///< compute, memory and network combined
  Bytes sram;
  Bytes
      live;  ///< tensors in DRAM while it runs: produced before or in it, consumed in it or later, not kept on the chip
};

/// Cost of a partition by definition:
///
///     compute = sum of compute, or the least t with sum over kernels of (fewest cores with time <= t) <= cores
///     memory  = (sum of memory + traffic of edges with one end inside) / dram_bandwidth
///     network = sum of network
///     sram    = sram_alone of a single kernel, else sum of sram + sram_inside or sram_boundary of the edges
///     live    = traffic of edges from before or inside to inside or after, both ends inside excepted
///
/// [dfmodel] sections 5.2 to 5.6. compute is infinite where the kernels are more than the cores.
[[nodiscard]] PartitionUse use_of(const PartitionProblem& problem, KernelSet before, KernelSet inside);

/// Sum of the times of the partitions, in order. Pre: assignment.size() == kernels.
[[nodiscard]] Seconds time_of(const PartitionProblem& problem, const Assignment& assignment);

/// Whether an assignment satisfies all rules and capacities of the problem.
[[nodiscard]] bool is_feasible(const PartitionProblem& problem, const Assignment& assignment);

/// Kernel sets of the non-empty partitions, in order.
[[nodiscard]] std::vector<KernelSet> partitions_of(const Assignment& assignment);

}  // namespace dfsweep::dataflow
