/// Joint bound: a lower bound on the time over all shardings that extend given choices, and over all their mappings.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/mapping/best_mapping.hpp"
#include "models/dataflow/mapping/sharding_elimination.hpp"

namespace dfsweep::dataflow {

/// The maximum of two relaxations:
///
/// * weighted sums. With compute C, memory M and network N of a partition, for any c + m + n = 1
///
///       max(C, M, N) >= c C + m M + n N     max(C, M) + N >= c C + (1 - c) M + N     C + M + N as it is
///
///   Summed over all partitions, only traffic depends on the mapping. Unavoidable traffic is part of the price of a
///   choice; elimination finds the sharding with the least sum of prices. Avoidable traffic is at least that of the
///   best mapping with every tensor at its minimum size (docs/models/mapping.md, Method).
/// * one mapping for all: the best mapping with each amount of an undecided kernel at its minimum.
class JointBound {
 public:
  /// `some`: any sharding of the workload. `nodes`: partitions that all calls together may visit. Pre: as
  /// joint_mapping(); the arguments outlive the object.
  JointBound(const Workload& workload, const Layout& layout, const PartitionRules& rules, const StepInputs& inputs,
             const Device& device, const MappingRequest& request, const ShardingCosts& costs,
             std::span<const ShardDimension> some, std::int64_t nodes);

  /// Bound on the seconds of a pass, including its share of costs once per step, given the choices [kernel] of the
  /// first `decided` kernels in costs.order(). Stops early once the bound reaches `enough`.
  [[nodiscard]] double of(std::size_t decided, std::span<const std::size_t> chosen, double enough);
  /// Partitions that all calls visited.
  [[nodiscard]] std::int64_t nodes() const { return visited_; }

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
  /// Sets the amounts of the relaxed problem; `avoidable`: only traffic that some mapping avoids.
  void relax(std::size_t decided, std::span<const std::size_t> chosen, Part part);
  [[nodiscard]] double relaxed_time();

  const ShardingCosts& costs_;
  const StepInputs& in_;
  PartitionRules rules_;
  std::int64_t nodes_;
  std::int64_t visited_ = 0;
  bool weights_may_stay_ = false;  ///< weights may stay in SRAM between passes
  PartitionProblem relaxed_;
  std::vector<double> depths_;                ///< [edge]
  std::vector<char> unavoidable_;             ///< [edge] traffic that every sharding has
  double least_avoidable_ = 0.0;              ///< s, minimum over all shardings
  std::vector<Weighted> weighted_;            ///< in descending order of their bounds
  std::vector<ShardingElimination> exposed_;  ///< network only, where its time adds to the rest
  PartitionSearch search_;
};

}  // namespace dfsweep::dataflow
