/// Joint mapping: sharding and partitions chosen together, so that what a sharding costs on the network is weighed
/// against the compute and the DRAM traffic that it saves in the partition where it matters.
#pragma once

#include <span>

#include "models/dataflow/mapping/best_mapping.hpp"

namespace dfsweep::dataflow {

struct JointLimits {
  std::int64_t shardings = 20'000;            ///< partial and whole shardings that are looked at
  std::int64_t nodes = default_search_nodes;  ///< of each partition search
};

struct JointMapping {
  std::vector<ShardDimension> sharding;  ///< [kernel]
  BestMapping mapping;                   ///< its gap and outcome are those of the joint choice
  std::int64_t shardings = 0;            ///< looked at
};

/// The sharding and mapping with the fastest step (passes, and gradients that are summed up once), proven by branch and
/// bound over the shardings with a partition search at its leaves. Starts from `first`, which must be one of the
/// choices of every kernel (sharding_choices); of equally fast ones the first found stays. `request` as in
/// best_mapping(). Pre: workload.spread is tensor_parallel, the layout and the batches are possible.
[[nodiscard]] JointMapping joint_mapping(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                                         const StepInputs& inputs, const hardware::Device& device,
                                         const MappingRequest& request, SinkSharding sink,
                                         std::span<const ShardDimension> first, const JointLimits& limits = {});

}  // namespace dfsweep::dataflow
