/// Sharding costs: the cost of each choice of a sharded dimension on a system.
#pragma once

#include <vector>

#include "models/dataflow/cost/partition.hpp"
#include "models/dataflow/cost/step.hpp"

namespace dfsweep::dataflow {

/// Costs of one choice for a kernel, in base units.
struct ShardCost {
  double compute = 0.0;  ///< s at the utilization of the point; in the cycle model the lower bound 0
  double network = 0.0;  ///< s, without conversions of its output
  double memory = 0.0;   ///< B, without edges and weights
  double tensor = 0.0;   ///< B, size of its output
  double tile = 0.0;     ///< B, one tile of its output
  double weights = 0.0;  ///< B
  double read = 0.0;     ///< B, traffic of weights and gradients per pass unless they are resident
  double pieces = 1.0;   ///< number of pieces in which its weights can be streamed
  double once = 0.0;     ///< s, costs once per step divided by the passes of the steady state
};

class ShardingCosts {
 public:
  ShardingCosts(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                const Convention& convention, const StepInputs& inputs, double num_tile, SinkSharding sink);

  [[nodiscard]] std::size_t kernels() const { return choices_.size(); }
  [[nodiscard]] const std::vector<ShardDimension>& choices(std::size_t kernel) const { return choices_[kernel]; }
  [[nodiscard]] const ShardCost& of(std::size_t kernel, std::size_t choice) const { return costs_[kernel][choice]; }
  /// Seconds of converting the tensor on an edge, charged to its source.
  [[nodiscard]] double conversion(std::size_t edge, std::size_t from, std::size_t to) const {
    return conversions_[edge][from * choices_[edges_[edge].destination].size() + to];
  }
  /// The kernels in topological order.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  /// Edges incident to a kernel.
  [[nodiscard]] const std::vector<std::size_t>& edges_of(std::size_t kernel) const { return edges_of_[kernel]; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  /// Position of a kernel in order().
  [[nodiscard]] std::size_t position(std::size_t kernel) const { return position_[kernel]; }

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<ShardDimension>> choices_;
  std::vector<std::vector<ShardCost>> costs_;     ///< [kernel][choice]
  std::vector<std::vector<double>> conversions_;  ///< [edge][choice of source][choice of destination]
  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> position_;  ///< [kernel]
};

}  // namespace dfsweep::dataflow
