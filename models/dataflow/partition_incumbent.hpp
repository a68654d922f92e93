/// Incumbent: a good mapping at once, from cutting fixed orders of the kernels into consecutive partitions.
#pragma once

#include <vector>

#include "models/dataflow/partition_instance.hpp"

namespace dfsweep {

struct Incumbent {
  Ticks time = endless;
  std::vector<KernelSet> partitions;  ///< in order; empty: none found
};

/// The best over a few topological orders, each cut exactly (dynamic programming over its prefixes).
[[nodiscard]] Incumbent first_incumbent(const PartitionInstance& instance);

/// Joins consecutive partitions wherever that is allowed and costs nothing, first pair first, until none is left.
void join_partitions(const PartitionInstance& instance, Incumbent& incumbent);

}  // namespace dfsweep
