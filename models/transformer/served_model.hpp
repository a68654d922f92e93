/// ServedModel: the sizes of a transformer that measured tables depend on, and the memory of its weights and cache.
#pragma once

#include "models/transformer/entry.hpp"
#include "models/units.hpp"

namespace dfsweep {

struct ServedModel {
  double layers = 0.0;
  double hidden = 0.0;
  double heads = 0.0;  ///< query heads
  double head_dim = 0.0;
  double key_value_heads = 0.0;  ///< grouped-query attention where fewer than `heads`
  double ffn_hidden = 0.0;
  double up_products = 1.0;          ///< 2 where the feed-forward network has a gate
  double vocabulary = 0.0;           ///< 0: unknown
  double experts = 0.0;              ///< routed experts per layer; 0: dense
  bool has_other_attention = false;  ///< latent, linear, sparse or gated, whose sizes the others are not
  bool operator==(const ServedModel&) const = default;

  [[nodiscard]] bool has_grouped_queries() const { return key_value_heads < heads; }
  [[nodiscard]] bool has_experts() const { return experts > 0.0; }
};

/// Applies the defaults: key_value_heads = heads, head_dim = hidden / heads rounded down, ffn_hidden = 4 hidden.
[[nodiscard]] ServedModel served_model(const TransformerEntry& entry);
/// decode_transformer() followed by served_model().
[[nodiscard]] Decoded<ServedModel> decode_served_model(const Entry& entry);

/// Key-value heads on each of `tensor_parallel` devices; heads are replicated where there are fewer than devices.
[[nodiscard]] double key_value_heads_of_device(const ServedModel& model, double tensor_parallel);

/// Weights of one layer on one device:
///
///     floor( h d (q/t + 2 ceil(kv/t)) + h d q/t + (g + 1) h f/t )
///
/// h: hidden, d: head_dim, q and kv: heads, f: ffn_hidden, g: up_products, t: tensor_parallel. Norms and biases are
/// negligible. Source: [vidur] Section 6.
[[nodiscard]] double layer_weights(const ServedModel& model, double tensor_parallel);

/// Weights of one embedding table, or of the output layer, on one device: vocabulary h / t.
[[nodiscard]] double embedding_weights(const ServedModel& model, double tensor_parallel);

/// Size of a number in half precision, the format of weights, activations and caches.
inline constexpr Bytes half_word{2.0};

/// Cache memory of one token on one device: 2 (keys and values) d ceil(kv/t) w per layer, w: `word`.
[[nodiscard]] Bytes cache_per_token(const ServedModel& model, double tensor_parallel, double layers, Bytes word);

}  // namespace dfsweep
