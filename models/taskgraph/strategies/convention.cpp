#include "models/taskgraph/strategies/convention.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::taskgraph {

namespace {

/// Key-value heads of one of `devices` devices; heads are replicated where there are fewer than devices.
double key_value_heads_of(const Transformer& t, double devices) {
  return std::ceil(t.key_value_heads / devices);
}

/// All-reduce of the layer's output, [rows x hidden].
Exchange all_reduce_of(const Transformer& t, const Batch& b, double devices, Bytes word) {
  return {2.0 * b.tokens() * t.hidden * word, 2.0, devices, b.tokens() * t.hidden};
}

AttentionWork sharded_attention(const Transformer& t, const Batch& b, double devices, Bytes word) {
  const double rows = b.tokens();
  const double heads = t.heads / devices;
  const double kv_heads = key_value_heads_of(t, devices);
  return {{{{1.0, rows, t.hidden, heads * t.head_dim},
            {2.0, rows, t.hidden, kv_heads * t.head_dim},
            {1.0, rows, heads * t.head_dim, t.hidden}}},
          {b.sequences * heads, b.new_tokens, b.context, t.head_dim, b.sequences * kv_heads},
          all_reduce_of(t, b, devices, word)};
}

FfnWork sharded_ffn(const Transformer& t, const Batch& b, double devices, Bytes word) {
  if (t.experts > 0.0) return {{}, all_reduce_of(t, b, devices, word), b.tokens()};
  const double width = t.ffn_hidden / devices;
  return {{{{t.up_products, b.tokens(), t.hidden, width}, {1.0, b.tokens(), width, t.hidden}}},
          all_reduce_of(t, b, devices, word),
          0.0};
}

/// Prefill: every pool device processes a block of ceil(s/P) tokens of each sequence against the full sequence. It
/// projects them, gathers the keys and values of all others, and projects the result. Decode: every pool device has a
/// block of the context. The rows of the batch are distributed for the projections and gathered for the scores, and the
/// partial results are summed.
AttentionWork pool_attention_of(const Transformer& t, const Batch& b, double pool, double, Bytes word) {
  const double a = t.attention_width();
  const double kv = t.key_value_width();
  const double block = b.is_decode ? 1.0 : std::ceil(b.new_tokens / pool);
  const double rows = b.is_decode ? std::ceil(b.sequences / pool) : b.sequences * block;
  const double context = b.is_decode ? std::ceil(b.context / pool) : b.context;
  const double gathered = b.tokens() * (b.is_decode ? a + 2.0 * kv : 2.0 * kv);
  const double added_up = b.is_decode ? b.tokens() * a : 0.0;
  return {{{{1.0, rows, t.hidden, a}, {2.0, rows, t.hidden, kv}, {1.0, rows, a, t.hidden}}},
          {b.sequences * t.heads, block, context, t.head_dim, b.sequences * t.key_value_heads},
          {(gathered + added_up) * word, b.is_decode ? 2.0 : 1.0, pool, added_up}};
}

/// Numbers of the widest tensor of a token within a layer. Experts: a copy of the token for each of its experts, and
/// the result of their up-projections.
double widest_tensor(const Transformer& t) {
  const double dense = t.up_products * t.ffn_hidden;
  const double ffn =
      t.experts > 0.0 ? std::max(t.experts_per_token * (t.hidden + dense), t.up_products * t.shared_ffn_hidden) : dense;
  return std::max(t.attention_width() + 2.0 * t.key_value_width(), ffn);
}

LayerOnDevice layer_on_device(const Transformer& t, const Batch& b, double tile, Bytes word) {
  const double rows_of_sequence = std::min(tile, b.new_tokens);
  const Batch of_tile{tile / rows_of_sequence, rows_of_sequence, b.context, b.is_decode};
  const double kept_sequences = b.is_decode ? b.sequences : 1.0;
  return {layer_parameters(t) * word, 2.0 * kept_sequences * b.context * t.key_value_width() * word,
          (2.0 * t.hidden + widest_tensor(t)) * word, sharded_attention(t, of_tile, 1.0, word),
          sharded_ffn(t, of_tile, 1.0, word)};
}

AttentionWork literal_attention(const Transformer& t, double rows, double context, double devices) {
  const double a = t.attention_width();
  return {{{{3.0, rows, t.hidden / devices, 3.0 * a}, {}, {1.0, rows, a / devices, t.hidden}}},
          {1.0, rows, context, a, 1.0},
          {}};
}

AttentionWork source_attention(const Transformer& t, const Batch& b, double devices, Bytes) {
  return literal_attention(t, b.tokens(), b.context, devices);
}

FfnWork source_ffn(const Transformer& t, const Batch& b, double devices, Bytes) {
  const double rows = b.tokens();
  const double h = t.hidden / devices;
  const double f = t.ffn_hidden / devices;
  return {{{{t.up_products, rows, h, f}, {1.0, rows, f, h}}}, {}, 0.0};
}

/// The published list with s/P rows against the full sequence.
AttentionWork source_pool_attention(const Transformer& t, const Batch& b, double pool, double base, Bytes) {
  return literal_attention(t, std::ceil(b.tokens() / pool), b.context, base);
}

/// "537 MB of weights a layer" is one matrix of hidden x ffn_hidden, "41.9 GB of activations" its input.
LayerOnDevice source_layer(const Transformer& t, const Batch&, double tile, Bytes word) {
  LayerOnDevice layer;
  layer.weights = t.hidden * t.ffn_hidden * word;
  layer.activations_of_token = t.hidden * word;
  layer.ffn.products[0] = {1.0, tile, t.hidden, t.ffn_hidden};
  return layer;
}

/// The same matrix with its columns distributed over the devices.
FfnWork source_layer_share(const Transformer& t, const Batch& b, double devices, Bytes) {
  return {{{{1.0, b.tokens(), t.hidden, t.ffn_hidden / devices}, {}}}, {}, 0.0};
}
AttentionWork no_attention(const Transformer&, const Batch&, double, Bytes) {
  return {};
}

constexpr Convention sharded{"sharded", sharded_attention, sharded_ffn, pool_attention_of, layer_on_device, true,
                             nullptr};
constexpr Convention source_layers{"source", no_attention, source_layer_share, source_pool_attention, source_layer,
                                   false,    nullptr};
constexpr Convention source{"source", source_attention, source_ffn, source_pool_attention, source_layer,
                            false,    &source_layers};

}  // namespace

const Convention& sharded_convention() {
  return sharded;
}
const Convention& source_convention() {
  return source;
}

const Convention& convention_named(std::string_view name) {
  DFSWEEP_EXPECT(name == sharded.name || name == source.name);
  return name == sharded.name ? sharded : source;
}

}  // namespace dfsweep::taskgraph
