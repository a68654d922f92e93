/// Sharding costs: what every choice of a sharded dimension costs on a system, and the least network time still to come
/// when the choices of some kernels are made.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/partition.hpp"
#include "models/dataflow/step.hpp"

namespace dfsweep {

/// What one choice of a kernel means, in base units.
struct ShardCost {
  double compute = 0.0;  ///< s at the utilization of the point; 0 in the cycle model, as a bound
  double network = 0.0;  ///< s, conversions of its output apart
  double memory = 0.0;   ///< B besides edges and weights
  double tensor = 0.0;   ///< B of its output
  double tile = 0.0;     ///< B of one tile of its output
  double weights = 0.0;  ///< B
  double pieces = 1.0;   ///< in which its weights may be streamed
  double once = 0.0;     ///< s: what happens once per step, shared out among the passes of the steady state
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
  /// Kernels so that producers come first.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  /// Edges that touch a kernel.
  [[nodiscard]] const std::vector<std::size_t>& edges_of(std::size_t kernel) const { return edges_of_[kernel]; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  /// False where the graph is too entangled for network_to_come().
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// Least network seconds of the kernels from `decided` on in order(), conversions to them included, given the choices
  /// [kernel] of those before.
  [[nodiscard]] double network_to_come(std::size_t decided, std::span<const std::size_t> chosen) const;

 private:
  /// Least sum over the eliminated kernels for every choice of the earlier ones that it depends on (positions in
  /// order).
  struct Message {
    std::vector<std::size_t> positions;  ///< ascending; values are row-major, the last fastest
    std::vector<double> seconds;
  };
  void eliminate();
  [[nodiscard]] std::size_t index_of(const Message& message, std::span<const std::size_t> chosen) const;

  std::vector<Edge> edges_;
  std::vector<std::vector<ShardDimension>> choices_;
  std::vector<std::vector<ShardCost>> costs_;     ///< [kernel][choice]
  std::vector<std::vector<double>> conversions_;  ///< [edge][choice of source][choice of destination]
  std::vector<std::vector<std::size_t>> edges_of_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> position_;  ///< [kernel]
  std::vector<Message> messages_;      ///< [position]
  bool complete_ = true;
};

}  // namespace dfsweep
