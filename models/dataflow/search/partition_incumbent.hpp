/// Incumbent: a good mapping at once, from cutting fixed orders of the kernels into consecutive partitions.
#pragma once

#include <vector>

#include "models/dataflow/search/partition_instance.hpp"

namespace dfsweep::dataflow {

struct Incumbent {
  Ticks time = endless;
  std::vector<KernelSet> partitions;  ///< in order; empty: none found
};

/// The best over a few topological orders, each cut exactly (dynamic programming over its prefixes).
[[nodiscard]] Incumbent first_incumbent(const PartitionInstance& instance);

/// Improves the mapping by changing an order of the kernels one kernel at a time, each order cut exactly: threshold
/// accepting with a fixed sequence of pseudo-random changes. Looks at about `nodes` partitions, which are added to
/// `looked_at`. Worth its time where the search does not end soon.
void improve_by_orders(const PartitionInstance& instance, std::int64_t nodes, Incumbent& incumbent,
                       std::int64_t& looked_at);

/// Whether the tensors between the partitions fit the DRAM at all times.
[[nodiscard]] bool fits_live(const PartitionInstance& instance, const Incumbent& incumbent);

/// Joins consecutive partitions wherever that is allowed and costs nothing, first pair first, until none is left.
void join_partitions(const PartitionInstance& instance, Incumbent& incumbent);

}  // namespace dfsweep::dataflow
