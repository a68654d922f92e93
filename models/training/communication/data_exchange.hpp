/// Data exchange: gradients and weights that the replicas of a model exchange in one step.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/tier_collectives.hpp"

namespace dfsweep::training {

/// The replicas of one set of weights: those that share one copy of what is sharded, and the copies.
struct ReplicaGroups {
  GroupPlace shard;   ///< ranks that share a copy
  GroupPlace copies;  ///< ranks that hold the same shard
};

/// Splits `replicas` ranks that are `stride` apart into sharding groups of neighbours. `group` 0: one group of all.
[[nodiscard]] ReplicaGroups replica_groups(double replicas, double stride, double group, const Enclosures& enclosures);

struct DataExchange {
  Seconds per_step;         ///< gradients, and weights after the update; hides behind the last backward pass
  Seconds per_micro_batch;  ///< weights gathered for both passes, and gradients scattered, with sharded parameters
  Seconds per_backward;     ///< gradients scattered by each backward pass but the last, with sharded gradients
};

/// Of `parameters` parameters on a device. Sharding none: all-reduce of gradients over all. Optimizer or gradients:
/// reduce-scatter of gradients and all-gather of weights within the sharding group, all-reduce of the shards between
/// copies. Gradients: no rank has room for all of them, so every micro-batch scatters its own. Parameters: two gathers
/// and one scatter within the group for each micro-batch, all-reduce of the shards between copies. Each bucket of
/// gradients starts a collective of its own. [zero] section 7, [fsdp] section 3
[[nodiscard]] DataExchange data_exchange(double parameters, Sharding sharding, const ReplicaGroups& groups,
                                         const WireBytes& wire, const Network& network, const LinkEfficiency& links);

/// One gather of sharded weights, as before each pass of a micro-batch with sharded parameters.
[[nodiscard]] Seconds weight_gather_time(double parameters, const ReplicaGroups& groups, const WireBytes& wire,
                                         const Network& network, const LinkEfficiency& links);

}  // namespace dfsweep::training
