/// Convention: a variant of the shapes of a layer.
#pragma once

#include <string_view>

#include "models/taskgraph/strategies/layer_work.hpp"
#include "models/taskgraph/strategies/transformer.hpp"

namespace dfsweep::taskgraph {

struct Convention {
  std::string_view name;
  /// Work of a layer that `devices` devices share by tensor parallelism.
  AttentionWork (*attention)(const Transformer&, const Batch&, double devices, Bytes word);
  FfnWork (*ffn)(const Transformer&, const Batch&, double devices, Bytes word);
  /// Attention in a pool of `pool` devices; `base` devices have the rest of the model.
  AttentionWork (*pool_attention)(const Transformer&, const Batch&, double pool, double base, Bytes word);
  /// A layer on one device, for a tile of `tile` tokens.
  LayerOnDevice (*layer)(const Transformer&, const Batch&, double tile, Bytes word);
  /// Whether heads and ffn_hidden must be multiples of the degree.
  bool shards_heads = true;
  /// The convention whose attention and feed-forward network have the same work as `layer`, for comparison with
  /// layerwise. Null: this one.
  const Convention* same_layer = nullptr;
};

/// The default: every possible dimension is sharded, with the required exchanges. docs/models/taskgraph.md derives the
/// shapes.
[[nodiscard]] const Convention& sharded_convention();

/// The published list of shapes of the study from which the strategies are taken:
///
///     3 x (b q, h/t, 3 a)   (b q, a, s)   (b q, s, a)   (b q, a/t, h)   (b q, h/t, f/t)   (b q, f/t, h/t)
///
/// It counts queries, keys and values three times, splits the inner dimension without an exchange of partial sums, and
/// does not shard attention.
[[nodiscard]] const Convention& source_convention();

inline constexpr std::string_view convention_names[] = {"sharded", "source"};
[[nodiscard]] const Convention& convention_named(std::string_view name);

}  // namespace dfsweep::taskgraph
