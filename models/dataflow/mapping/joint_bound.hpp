/// Joint bound: a time that no sharding with some choices made and no mapping of it can beat.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/mapping/best_mapping.hpp"
#include "models/dataflow/mapping/sharding_elimination.hpp"

namespace dfsweep::dataflow {

/// Two relaxations, of which the higher counts:
///
/// * weighted sums. With compute C, memory M and network N of a partition, for any c + m + n = 1
///
///       max(C, M, N) >= c C + m M + n N     max(C, M) + N >= c C + (1 - c) M + N     C + M + N as it is
///
///   Summed over all partitions only traffic depends on the mapping. Traffic that every mapping has is part of the
///   price of a choice, and the sharding with the least sum of prices is found by elimination; the rest is at least
///   what the best mapping has when every tensor is the smallest that it can be (docs/models/mapping.md, Method).
/// * one mapping for all: the best mapping where every undecided kernel has the least of each of its amounts.
class JointBound {
 public:
  /// `some`: any sharding of the workload. Pre: as joint_mapping(); the arguments outlive the object.
  JointBound(const Workload& workload, const Layout& layout, const PartitionRules& rules, const StepInputs& inputs,
             const hardware::Device& device, const MappingRequest& request, const ShardingCosts& costs,
             std::span<const ShardDimension> some, std::int64_t nodes);

  /// Seconds of a pass and of the share in what happens once, with the choices [kernel] of the first `decided` kernels
  /// in costs.order(). Stops where the bound has reached `enough`.
  [[nodiscard]] double of(std::size_t decided, std::span<const std::size_t> chosen, double enough);

 private:
  struct Weights {
    double compute, memory, network;
  };
  struct Weighted {
    ShardingElimination sums;
    double memory;  ///< weight
    double at_root;
  };
  [[nodiscard]] std::vector<Weights> weights() const;
  [[nodiscard]] ShardingElimination weighted(const Weights& weights) const;
  [[nodiscard]] ShardCost least(std::size_t kernel, std::size_t decided, std::span<const std::size_t> chosen) const;
  [[nodiscard]] double decided_network(std::size_t kernel, std::size_t decided,
                                       std::span<const std::size_t> chosen) const;
  enum class Part : std::uint8_t { all, avoidable };
  /// Sets the amounts of the relaxed problem; `avoidable`: nothing but traffic that some mapping avoids.
  void relax(std::size_t decided, std::span<const std::size_t> chosen, Part part);
  [[nodiscard]] double relaxed_time();

  const ShardingCosts& costs_;
  const StepInputs& in_;
  PartitionRules rules_;
  std::int64_t nodes_;
  bool weights_may_stay_ = false;  ///< in SRAM between passes
  PartitionProblem relaxed_;
  std::vector<double> depths_;                ///< [edge]
  std::vector<char> unavoidable_;             ///< [edge] whatever the sharding
  double least_avoidable_ = 0.0;              ///< s, whatever the sharding
  std::vector<Weighted> weighted_;            ///< highest first
  std::vector<ShardingElimination> exposed_;  ///< the network alone, where it adds to the rest
  PartitionSearch search_;
};

}  // namespace dfsweep::dataflow
