/// Sharding: which dimension of each kernel is divided among the chips of a tensor-parallel group, chosen exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/dataflow/parallelism/collective.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/graph.hpp"

namespace dfsweep::dataflow {

enum class ShardDimension : std::uint8_t { none, outer, m, k, n };

/// How a tensor lies on the chips of a group.
enum class TensorLayout : std::uint8_t { split_rows, split_columns, replicated };

/// What turns one layout into another.
enum class Conversion : std::uint8_t { none, all_gather, all_to_all };

/// Layout in which a kernel sharded along `dimension` leaves its output: outer and m split rows, n columns, k and none
/// leave it replicated (k after an all-reduce).
[[nodiscard]] TensorLayout produced_layout(ShardDimension dimension);

/// Layout in which `destination`, sharded along `dimension`, wants the output of `source`. [dfmodel] section 2.1:
/// an input as large as the (k x n) operand or of a kernel with weights; one as large as the (m x k) operand; the
/// inputs of weight updates and of element-wise kernels.
[[nodiscard]] TensorLayout wanted_layout(const Kernel& source, const Kernel& destination, ShardDimension dimension);

/// Replicated to anything and equal layouts are free; split to replicated gathers; rows to columns and back exchange.
[[nodiscard]] Conversion conversion_between(TensorLayout produced, TensorLayout wanted);

/// The collective that converts; nothing where none is needed.
[[nodiscard]] std::optional<Collective> collective_of(Conversion conversion);

/// Prices of the communication that a sharding causes: per byte and per occurrence, in any unit.
struct ShardingPrices {
  enum class Counted : std::uint8_t { whole_tensor, shard_of_source };
  Counted counted = Counted::whole_tensor;
  struct Price {
    double byte = 1.0;
    double each = 0.0;
  };
  PerCollective<Price> of;  ///< all_reduce, all_gather and all_to_all count
};

/// The sharding with the least price, proven: dynamic programming over the kernels, last to first. Among equals the
/// first in the order none, outer, k, m, n of the first kernel where they differ (element-wise kernels that nobody
/// consumes: outer, k, m, n, none where `sink` says sharded). Dimensions of size 1 and tiled ones are not sharded, a
/// kernel with weights is sharded if it can be, outer > 1 forces outer.
/// Nothing where the graph is too entangled (more than 2^22 states at once).
/// Pre: the graph is valid, chips >= 1.
[[nodiscard]] std::optional<std::vector<ShardDimension>> best_sharding(const Graph& graph, double chips,
                                                                       double word_bytes, const ShardingPrices& prices,
                                                                       SinkSharding sink);

/// Total price of a given sharding [kernel]; the definition that best_sharding minimises.
[[nodiscard]] double sharding_price(const Graph& graph, std::span<const ShardDimension> sharding, double chips,
                                    double word_bytes, const ShardingPrices& prices);

/// The choices that best_sharding has for a kernel, in order of preference.
[[nodiscard]] std::vector<ShardDimension> sharding_choices(const Graph& graph, std::size_t kernel, SinkSharding sink);

/// The part of a kernel that one of `chips` chips computes: ceil(size / chips) along `dimension`.
[[nodiscard]] Kernel shard_of(const Kernel& kernel, ShardDimension dimension, double chips);

}  // namespace dfsweep::dataflow
