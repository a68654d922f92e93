/// Elimination: the exact minimum price of a sharding given some of its choices, by eliminating kernels from the last
/// to the first.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/mapping/sharding_costs.hpp"

namespace dfsweep::dataflow {

class ShardingElimination {
 public:
  /// prices[kernel][choice], any unit; a conversion costs its seconds times `conversion_weight`. Pre: prices >= 0;
  /// `costs` outlives the object.
  ShardingElimination(const ShardingCosts& costs, std::vector<std::vector<double>> prices, double conversion_weight);
  /// Minimum price of all kernels, given the choices [kernel] of the first `decided` kernels in costs.order(). Where
  /// the treewidth is too large (more than 2^16 states at once), the undecided kernels count as free.
  [[nodiscard]] double least(std::size_t decided, std::span<const std::size_t> chosen) const;

 private:
  /// Minimum sum over the eliminated kernels, as a table over the choices of the earlier kernels that it depends on.
  struct Message {
    std::vector<std::size_t> positions;  ///< in costs.order(), ascending; values are row-major
    std::vector<double> prices;
  };
  void eliminate();
  void fill(std::size_t position, std::size_t states, std::span<const std::size_t> later);
  /// Price of the kernel at `position` plus conversions between it and earlier kernels.
  [[nodiscard]] double own(std::size_t position, std::span<const std::size_t> chosen) const;
  [[nodiscard]] std::size_t index_of(const Message& message, std::span<const std::size_t> chosen) const;

  const ShardingCosts* costs_;
  std::vector<std::vector<double>> prices_;
  double conversion_weight_;
  std::vector<Message> messages_;  ///< [position]
  bool complete_ = true;
};

}  // namespace dfsweep::dataflow
