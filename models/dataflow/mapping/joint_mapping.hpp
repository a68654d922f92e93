/// Joint mapping: sharding and partitions optimised together, so that the network cost of a sharding is weighed against
/// the compute and DRAM traffic that it saves in its partition.
#pragma once

#include <span>

#include "models/dataflow/mapping/best_mapping.hpp"

namespace dfsweep::dataflow {

struct JointLimits {
  std::int64_t shardings = 20'000;            ///< limit on partial and complete shardings to visit
  std::int64_t nodes = default_search_nodes;  ///< limit of the first partition search, and of all others together
};

struct JointMapping {
  std::vector<ShardDimension> sharding;  ///< [kernel]
  BestMapping mapping;                   ///< gap and outcome of the joint search
  std::int64_t shardings = 0;            ///< shardings visited
};

/// The sharding and mapping with the fastest step (passes, and gradients summed once), proven by branch and bound over
/// the shardings with a partition search at each leaf. Starts from `first`, which must consist of sharding_choices();
/// on ties the first found wins. `request` as in best_mapping(). Pre: workload.spread is tensor_parallel, the layout
/// and the batches are possible.
[[nodiscard]] JointMapping joint_mapping(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                                         const StepInputs& inputs, const Device& device, const MappingRequest& request,
                                         SinkSharding sink, std::span<const ShardDimension> first,
                                         const JointLimits& limits = {});

}  // namespace dfsweep::dataflow
