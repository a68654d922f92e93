/// Choices of a kernel, its shard, and the layouts of tensors on both sides.
#include <algorithm>
#include <cmath>

#include "models/dataflow/parallelism/sharding.hpp"

namespace dfsweep::dataflow {

TensorLayout produced_layout(const Kernel& kernel, ShardDimension dimension) {
  switch (dimension) {
    case ShardDimension::outer:
      return kernel.routing == Routing::experts ? TensorLayout::split_experts : TensorLayout::split_rows;
    case ShardDimension::m:
      return TensorLayout::split_rows;
    case ShardDimension::n:
      return TensorLayout::split_columns;
    case ShardDimension::k:
    case ShardDimension::none:
      break;
  }
  return TensorLayout::replicated;
}

namespace {

/// The layout that the routing of tokens asks for; empty where that of a dense layer holds.
std::optional<TensorLayout> routed_layout(const Kernel& source, const Kernel& destination, ShardDimension dimension) {
  const bool from_experts = source.routing == Routing::experts;
  if (source.routing == Routing::router && destination.routing != Routing::none) return TensorLayout::replicated;
  const TensorLayout by_experts = from_experts ? TensorLayout::split_experts : TensorLayout::replicated;
  if (destination.routing == Routing::experts && dimension == ShardDimension::outer) return by_experts;
  if (!from_experts) return std::nullopt;
  if (destination.routing == Routing::gather)
    return dimension == ShardDimension::k   ? TensorLayout::split_experts
           : dimension == ShardDimension::m ? TensorLayout::split_rows
                                            : TensorLayout::replicated;
  if (destination.routing == Routing::router)  // gradients of the scores: a row for each expert
    return dimension == ShardDimension::k ? TensorLayout::split_experts : TensorLayout::replicated;
  return std::nullopt;
}

}  // namespace

TensorLayout wanted_layout(const Kernel& source, const Kernel& destination, ShardDimension dimension) {
  using enum TensorLayout;
  if (const std::optional<TensorLayout> routed = routed_layout(source, destination, dimension)) return *routed;
  struct Row {
    TensorLayout outer, m, k, n;
  };
  constexpr Row weight_update{split_rows, split_rows, split_columns, split_rows};
  constexpr Row elementwise{split_rows, split_rows, replicated, split_columns};
  constexpr Row first_operand{split_rows, replicated, split_rows, split_columns};   // (k x n)
  constexpr Row second_operand{split_rows, split_rows, split_columns, replicated};  // (m x k)
  Row row = first_operand;
  if (destination.gradient_words > 0.0) {
    row = weight_update;
  } else if (destination.type == KernelType::elementwise) {
    row = elementwise;
  } else if (destination.weight_words == 0.0) {
    const double words = source.outer * source.m * source.n;
    const bool is_first = words == destination.outer * destination.k * destination.n;
    const bool is_second = words == destination.outer * destination.m * destination.k;
    if (is_second && !is_first) row = second_operand;
  }
  switch (dimension) {
    case ShardDimension::outer:
      return row.outer;
    case ShardDimension::m:
      return row.m;
    case ShardDimension::k:
      return row.k;
    case ShardDimension::n:
      return row.n;
    case ShardDimension::none:
      break;
  }
  return replicated;
}

std::optional<Collective> collective_of(Conversion conversion) {
  if (conversion == Conversion::none) return std::nullopt;
  return conversion == Conversion::all_gather ? Collective::all_gather : Collective::all_to_all;
}

Conversion conversion_between(TensorLayout produced, TensorLayout wanted) {
  if (produced == wanted || produced == TensorLayout::replicated) return Conversion::none;
  return wanted == TensorLayout::replicated ? Conversion::all_gather : Conversion::all_to_all;
}

Kernel shard_of(const Kernel& kernel, ShardDimension dimension, double chips) {
  Kernel shard = kernel;
  const auto part = [chips](double& size) {
    const double whole = size;
    size = std::ceil(size / chips);
    return size / whole;
  };
  double share_of_weights = 1.0;
  switch (dimension) {
    case ShardDimension::none:
      break;
    case ShardDimension::outer:
      share_of_weights = part(shard.outer);
      break;
    case ShardDimension::m:
      share_of_weights = part(shard.m);
      break;
    case ShardDimension::k:
      share_of_weights = part(shard.k);
      break;
    case ShardDimension::n:
      part(shard.n);
      break;
  }
  shard.weight_words = kernel.weight_words * share_of_weights;
  shard.gradient_words =
      kernel.gradient_words * (shard.outer * shard.m * shard.n) / (kernel.outer * kernel.m * kernel.n);
  return shard;
}

namespace {

/// The choices of a kernel of a layer with experts.
std::vector<ShardDimension> routed_choices(const Kernel& kernel) {
  std::vector<ShardDimension> choices;
  const bool is_gather = kernel.routing == Routing::gather;
  if (kernel.routing == Routing::router) choices.push_back(ShardDimension::none);
  if (kernel.routing == Routing::experts && kernel.outer > 1.0) choices.push_back(ShardDimension::outer);
  if (is_gather || (kernel.k > 1.0 && kernel.tiling != Tiling::k)) choices.push_back(ShardDimension::k);
  if (kernel.m > 1.0) choices.push_back(ShardDimension::m);
  if (kernel.n > 1.0 && kernel.tiling != Tiling::n) choices.push_back(ShardDimension::n);
  const bool may_be_whole = kernel.weight_words == 0.0 || choices.empty();
  if (may_be_whole && kernel.routing != Routing::router) choices.push_back(ShardDimension::none);
  return choices;
}

}  // namespace

std::vector<ShardDimension> sharding_choices(const Graph& graph, std::size_t index, SinkSharding sink) {
  const Kernel& kernel = graph.kernels[index];
  if (kernel.routing != Routing::none) return routed_choices(kernel);
  if (kernel.outer > 1.0) return {ShardDimension::outer};
  std::vector<ShardDimension> choices;
  if (kernel.k > 1.0 && kernel.tiling != Tiling::k) choices.push_back(ShardDimension::k);
  if (kernel.m > 1.0) choices.push_back(ShardDimension::m);
  if (kernel.n > 1.0 && kernel.tiling != Tiling::n) choices.push_back(ShardDimension::n);
  if (kernel.weight_words > 0.0 && !choices.empty()) return choices;
  const bool is_sink =
      kernel.type == KernelType::elementwise &&
      std::none_of(graph.edges.begin(), graph.edges.end(), [index](const Edge& edge) { return edge.source == index; });
  const bool none_last = is_sink && sink == SinkSharding::sharded;
  choices.insert(none_last ? choices.end() : choices.begin(), ShardDimension::none);
  return choices;
}

}  // namespace dfsweep::dataflow
