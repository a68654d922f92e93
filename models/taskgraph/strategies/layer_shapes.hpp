/// Layer shapes: the work and the memory of a layer by convention. Inlined, because a search for tiles asks for a layer
/// tens of times at each point, and reads its work alone.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/taskgraph/strategies/layer_work.hpp"
#include "models/taskgraph/strategies/transformer.hpp"

namespace dfsweep::taskgraph {

/// Key-value heads of one of `devices` devices; heads are replicated where there are fewer than devices.
[[nodiscard, gnu::always_inline]] inline double key_value_heads_of(const Transformer& t, double devices) {
  return std::ceil(t.key_value_heads / devices);
}

/// All-reduce of the layer's output, [rows x hidden].
[[nodiscard, gnu::always_inline]] inline Exchange all_reduce_of(const Transformer& t, const Batch& b, double devices,
                                                                Bytes word) {
  return {2.0 * b.tokens() * t.hidden * word, 2.0, devices, b.tokens() * t.hidden};
}

/// Heads over the devices, then the sum of their results.
[[nodiscard, gnu::always_inline]] inline AttentionWork sharded_attention(const Transformer& t, const Batch& b,
                                                                         double devices, Bytes word) {
  const double rows = b.tokens();
  const double heads = t.heads / devices;
  const double kv_heads = key_value_heads_of(t, devices);
  return {{{{1.0, rows, t.hidden, heads * t.head_dim},
            {2.0, rows, t.hidden, kv_heads * t.head_dim},
            {1.0, rows, heads * t.head_dim, t.hidden}}},
          {b.sequences * heads, b.new_tokens, b.context, t.head_dim, b.sequences * kv_heads},
          all_reduce_of(t, b, devices, word)};
}

/// Columns, then rows over the devices, then the sum of their results.
[[nodiscard, gnu::always_inline]] inline FfnWork sharded_ffn(const Transformer& t, const Batch& b, double devices,
                                                             Bytes word) {
  if (t.experts > 0.0) return {{}, all_reduce_of(t, b, devices, word), b.tokens()};
  const double width = t.ffn_hidden / devices;
  return {{{{t.up_products, b.tokens(), t.hidden, width}, {1.0, b.tokens(), width, t.hidden}}},
          all_reduce_of(t, b, devices, word),
          0.0};
}

/// Numbers of the widest tensor of a token within a layer. Experts: a copy of the token for each of its experts, and
/// the result of their up-projections.
[[nodiscard, gnu::always_inline]] inline double widest_tensor(const Transformer& t) {
  const double dense = t.up_products * t.ffn_hidden;
  const double ffn =
      t.experts > 0.0 ? std::max(t.experts_per_token * (t.hidden + dense), t.up_products * t.shared_ffn_hidden) : dense;
  return std::max(t.attention_width() + 2.0 * t.key_value_width(), ffn);
}

/// One device has the whole layer. A tile has whole sequences, or tokens of one of them.
[[nodiscard, gnu::always_inline]] inline LayerOnDevice sharded_layer(const Transformer& t, const Batch& b, double tile,
                                                                     Bytes word) {
  const double rows_of_sequence = std::min(tile, b.new_tokens);
  const Batch of_tile{tile / rows_of_sequence, rows_of_sequence, b.context, b.is_decode};
  const double kept_sequences = b.is_decode ? b.sequences : 1.0;
  return {layer_parameters(t) * word, 2.0 * kept_sequences * b.context * t.key_value_width() * word,
          (2.0 * t.hidden + widest_tensor(t)) * word, sharded_attention(t, of_tile, 1.0, word),
          sharded_ffn(t, of_tile, 1.0, word)};
}

/// "537 MB of weights a layer" is one matrix of hidden x ffn_hidden, "41.9 GB of activations" its input.
[[nodiscard, gnu::always_inline]] inline LayerOnDevice source_layer(const Transformer& t, const Batch&, double tile,
                                                                    Bytes word) {
  LayerOnDevice layer;
  layer.weights = t.hidden * t.ffn_hidden * word;
  layer.activations_of_token = t.hidden * word;
  layer.ffn.products[0] = {1.0, tile, t.hidden, t.ffn_hidden};
  return layer;
}

}  // namespace dfsweep::taskgraph
