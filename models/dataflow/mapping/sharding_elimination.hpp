/// Elimination: the least price of a sharding when some of its choices are made, exact, kernels eliminated last to
/// first.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/mapping/sharding_costs.hpp"

namespace dfsweep::dataflow {

class ShardingElimination {
 public:
  /// prices[kernel][choice], any unit; conversions cost `conversion_weight` of it per second. Pre: prices >= 0; `costs`
  /// outlives the object.
  ShardingElimination(const ShardingCosts& costs, std::vector<std::vector<double>> prices, double conversion_weight);
  /// Least price of all kernels, given the choices [kernel] of the first `decided` ones in costs.order(). Where the
  /// graph is too entangled for the elimination (more than 2^16 states at once) the others count as free.
  [[nodiscard]] double least(std::size_t decided, std::span<const std::size_t> chosen) const;

 private:
  /// Least sum over the eliminated kernels for every choice of the earlier ones that it depends on.
  struct Message {
    std::vector<std::size_t> positions;  ///< in costs.order(), ascending; values are row-major, the last fastest
    std::vector<double> prices;
  };
  void eliminate();
  void fill(std::size_t position, std::size_t states, std::span<const std::size_t> later);
  /// What the kernel at `position` adds: its price and the conversions between it and earlier ones.
  [[nodiscard]] double own(std::size_t position, std::span<const std::size_t> chosen) const;
  [[nodiscard]] std::size_t index_of(const Message& message, std::span<const std::size_t> chosen) const;

  const ShardingCosts* costs_;
  std::vector<std::vector<double>> prices_;
  double conversion_weight_;
  std::vector<Message> messages_;  ///< [position]
  bool complete_ = true;
};

}  // namespace dfsweep::dataflow
