/// Sharding: the exact choice of the dimension of each kernel that is divided among the chips of a tensor-parallel
/// group.
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

/// Distribution of a tensor over the chips of a group.
enum class TensorLayout : std::uint8_t {
  split_rows,
  split_columns,
  split_experts,  ///< each chip has the tokens of some experts, all rows of them
  replicated
};

/// The communication that converts one layout into another.
enum class Conversion : std::uint8_t { none, all_gather, all_to_all };

/// Layout of the output of a kernel sharded along `dimension`: outer and m split rows (outer of experts: experts), n
/// splits columns, k and none give a replicated output (k after an all-reduce).
[[nodiscard]] TensorLayout produced_layout(const Kernel& kernel, ShardDimension dimension);

/// Layout in which `destination`, sharded along `dimension`, needs the output of `source`. [dfmodel] section 2.1
/// distinguishes inputs as large as the (k x n) operand or of a kernel with weights, inputs as large as the (m x k)
/// operand, and inputs of weight updates and of element-wise kernels. Experts sharded along outer take what other
/// experts made by experts, and all else whole: each chip picks the tokens of its experts. A sum over experts along k
/// takes what a chip's experts made. Scores of experts are wanted whole.
[[nodiscard]] TensorLayout wanted_layout(const Kernel& source, const Kernel& destination, ShardDimension dimension);

/// No conversion from replicated or between equal layouts; all-gather from split to replicated; all-to-all between rows
/// and columns.
[[nodiscard]] Conversion conversion_between(TensorLayout produced, TensorLayout wanted);

/// The collective of a conversion; empty for Conversion::none.
[[nodiscard]] std::optional<Collective> collective_of(Conversion conversion);

/// Prices of communication per byte and per occurrence, in any unit.
struct ShardingPrices {
  enum class Counted : std::uint8_t { whole_tensor, shard_of_source };
  Counted counted = Counted::whole_tensor;
  struct Price {
    double byte = 1.0;
    double each = 0.0;
  };
  PerCollective<Price> of;  ///< only all_reduce, all_gather and all_to_all are used
};

/// The sharding with the minimum price, exact by dynamic programming over the kernels. Ties: the first in the order
/// none, outer, k, m, n at the first kernel that differs (element-wise kernels without consumers: outer, k, m, n, none
/// if `sink` is sharded). Dimensions of size 1 and tiled dimensions are not sharded, kernels with weights are sharded
/// if possible, outer > 1 forces outer. Experts may be sharded along any dimension, with outer before the others on a
/// tie; their router may be replicated. Empty where the treewidth of the graph is too large (more than 2^22 states at
/// once). Pre: the graph is valid, chips >= 1.
[[nodiscard]] std::optional<std::vector<ShardDimension>> best_sharding(const Graph& graph, double chips,
                                                                       double word_bytes, const ShardingPrices& prices,
                                                                       SinkSharding sink);

/// Total price of a sharding [kernel]: the objective of best_sharding.
[[nodiscard]] double sharding_price(const Graph& graph, std::span<const ShardDimension> sharding, double chips,
                                    double word_bytes, const ShardingPrices& prices);

/// The choices of best_sharding for a kernel, in order of preference.
[[nodiscard]] std::vector<ShardDimension> sharding_choices(const Graph& graph, std::size_t kernel, SinkSharding sink);

/// The shard of a kernel on one of `chips` chips: ceil(size / chips) along `dimension`.
[[nodiscard]] Kernel shard_of(const Kernel& kernel, ShardDimension dimension, double chips);

}  // namespace dfsweep::dataflow
