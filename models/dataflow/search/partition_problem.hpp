/// PartitionProblem: which kernels of a graph share a chip at once, as plain numbers, and what an answer costs.
///
/// This file defines the cost of a mapping; the search, its bounds and the tests are all held against it.
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

/// One way to give cores to a kernel: with `cores` cores it takes `time`.
struct CoreChoice {
  double cores = 1.0;  ///< whole, >= 1
  Seconds time;
  bool operator==(const CoreChoice&) const = default;
};

struct PartitionKernel {
  Seconds compute;   ///< on the whole chip; kernels of a partition follow each other. Unused where `choices` are given
  Seconds network;   ///< collectives of the kernel and conversions of its output
  Bytes memory;      ///< DRAM traffic besides the edges
  Bytes sram;        ///< occupied while its partition runs (weights)
  Bytes sram_alone;  ///< SRAM of the partition that holds this kernel only
  Pass pass = Pass::forward;
  std::vector<CoreChoice> choices;  ///< cycle model: more cores, less time; both strictly monotone
};

/// A tensor. Pre: sram_boundary <= sram_inside, so that a partition never needs less SRAM than a part of it.
struct PartitionEdge {
  std::size_t source = 0;
  std::size_t destination = 0;
  Bytes traffic;        ///< stored once and loaded once if its ends lie in different partitions
  Bytes sram_inside;    ///< SRAM of a partition that holds both ends
  Bytes sram_boundary;  ///< SRAM of a partition that holds one end
};

/// Where the two passes may meet. Except with `free` no backward kernel comes in an earlier partition than a forward
/// one.
enum class PassMixing : std::uint8_t {
  separate,   ///< no partition holds kernels of both passes
  one_mixed,  ///< at most one does
  free,       ///< the edges alone decide
};

/// How many partitions an answer may have; empty ones do not count.
enum class CountRule : std::uint8_t { any, at_most, exactly };

inline constexpr Bytes unlimited{std::numeric_limits<double>::infinity()};

struct PartitionProblem {
  std::vector<PartitionKernel> kernels;  ///< 1 to 64
  std::vector<PartitionEdge> edges;      ///< acyclic, at most one per pair of kernels
  Bandwidth dram_bandwidth{1.0};         ///< > 0
  Bytes sram_capacity = unlimited;       ///< per partition
  Bytes live_capacity = unlimited;       ///< for tensors in DRAM while a partition runs
  double cores = 0.0;                    ///< cycle model: cores of the chip; 0: `compute` adds up
  Overlap overlap = Overlap::perfect;
  PassMixing mixing = PassMixing::separate;
  CountRule count_rule = CountRule::any;
  std::size_t count = 0;  ///< for at_most and exactly
};

/// What a partition takes: kernels `inside`, executed when `before` is done.
struct PartitionUse {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds time;  ///< the three combined
  Bytes sram;
  Bytes live;  ///< tensors in DRAM while it runs: produced by then, consumed then or later, not on the chip
};

/// The definition, directly from the problem:
///
///     compute = sum of compute, or the least t with sum over kernels of (fewest cores with time <= t) <= cores
///     memory  = (sum of memory + traffic of edges with one end inside) / dram_bandwidth
///     network = sum of network
///     sram    = sram_alone of a single kernel, else sum of sram + sram_inside or sram_boundary of the edges
///     live    = traffic of edges from before or inside to inside or after, both ends inside excepted
///
/// [dfmodel] sections 5.2 to 5.6. An infinite compute says that the kernels are more than the cores.
[[nodiscard]] PartitionUse use_of(const PartitionProblem& problem, KernelSet before, KernelSet inside);

/// Sum over the partitions of an assignment, in order. Pre: assignment.size() == kernels.
[[nodiscard]] Seconds time_of(const PartitionProblem& problem, const Assignment& assignment);

/// Whether an assignment keeps every rule and capacity of the problem.
[[nodiscard]] bool is_feasible(const PartitionProblem& problem, const Assignment& assignment);

/// Kernel sets of the non-empty partitions, in order.
[[nodiscard]] std::vector<KernelSet> partitions_of(const Assignment& assignment);

}  // namespace dfsweep::dataflow
