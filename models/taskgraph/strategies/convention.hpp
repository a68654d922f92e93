/// Convention: whose reading of the shapes of a layer is used.
#pragma once

#include <array>
#include <string_view>

#include "models/taskgraph/strategies/transformer.hpp"
#include "models/taskgraph/work/exchange.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

/// What one device of a group does for the attention of a layer.
struct AttentionWork {
  std::array<Product, 3> projections;  ///< queries; keys and values; output
  AttentionCore core;
  Exchange exchange;
};

/// The same for its feed-forward network: up and down.
struct FfnWork {
  std::array<Product, 2> products;
  Exchange exchange;
};

/// A layer as it lies in the memory of one device, and its work for one token tile.
struct LayerOnDevice {
  Bytes weights;
  Bytes buffers;               ///< keys and values that stay while tiles pass
  Bytes activations_of_token;  ///< live at once
  AttentionWork attention;
  FfnWork ffn;
};

struct Convention {
  std::string_view name;
  /// Of a layer that `devices` share by tensor parallelism.
  AttentionWork (*attention)(const Transformer&, const Batch&, double devices, Bytes word);
  FfnWork (*ffn)(const Transformer&, const Batch&, double devices, Bytes word);
  /// Of attention in a pool of `pool` devices; `base` devices hold the rest of the model.
  AttentionWork (*pool_attention)(const Transformer&, const Batch&, double pool, double base, Bytes word);
  /// Of a layer on one device, for a tile of `tile` tokens.
  LayerOnDevice (*layer)(const Transformer&, const Batch&, double tile, Bytes word);
  /// Whether heads and ffn_hidden must be multiples of the degree.
  bool shards_heads = true;
  /// Whose attention and feed-forward network have the work of `layer`: what layerwise is compared with. Null: this.
  const Convention* same_layer = nullptr;
};

/// The default: every dimension sharded as it can be, with the exchanges that this needs. docs/models/taskgraph.md
/// derives the shapes.
[[nodiscard]] const Convention& sharded_convention();

/// The literal list of shapes of the study that the strategies are from:
///
///     3 x (b q, h/t, 3 a)   (b q, a, s)   (b q, s, a)   (b q, a/t, h)   (b q, h/t, f/t)   (b q, f/t, h/t)
///
/// It counts queries, keys and values three times over, splits the inner dimension without an exchange of partial sums
/// and does not shard attention.
[[nodiscard]] const Convention& source_convention();

inline constexpr std::string_view convention_names[] = {"sharded", "source"};
[[nodiscard]] const Convention& convention_named(std::string_view name);

}  // namespace dfsweep::taskgraph
