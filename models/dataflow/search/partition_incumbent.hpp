/// Incumbent: a good first mapping, from cutting fixed orders of the kernels into consecutive partitions.
#pragma once

#include <vector>

#include "models/dataflow/search/partition_instance.hpp"

namespace dfsweep::dataflow {

struct Incumbent {
  Ticks time = int_infinity;
  std::vector<KernelSet> partitions;  ///< in order; empty: not found
};

/// The best over a few topological orders, each cut optimally (dynamic programming over its prefixes).
[[nodiscard]] Incumbent first_incumbent(const PartitionInstance& instance);

/// Improves the mapping by moving one kernel of an order at a time and cutting each order optimally: threshold
/// accepting with a fixed sequence of pseudo-random changes. Evaluates about `nodes` partitions and adds their number
/// to `looked_at`. Useful only where the search takes long.
void improve_by_orders(const PartitionInstance& instance, std::int64_t nodes, Incumbent& incumbent,
                       std::int64_t& looked_at);

/// Whether the tensors between the partitions fit in DRAM at all times.
[[nodiscard]] bool fits_live(const PartitionInstance& instance, const Incumbent& incumbent);

/// Joins consecutive partitions where this is allowed and costs nothing, from the first pair on, until no pair is left.
void join_partitions(const PartitionInstance& instance, Incumbent& incumbent);

}  // namespace dfsweep::dataflow
