#include "models/taskgraph/strategies/convention.hpp"

#include <cmath>

#include "models/expect.hpp"
#include "models/taskgraph/strategies/layer_shapes.hpp"

namespace dfsweep::taskgraph {

namespace {

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

/// The same matrix with its columns distributed over the devices.
FfnWork source_layer_share(const Transformer& t, const Batch& b, double devices, Bytes) {
  return {{{{1.0, b.tokens(), t.hidden, t.ffn_hidden / devices}, {}}}, {}, 0.0};
}
AttentionWork no_attention(const Transformer&, const Batch&, double, Bytes) {
  return {};
}

constexpr Convention sharded{"sharded", sharded_attention, sharded_ffn, pool_attention_of, sharded_layer, true,
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
