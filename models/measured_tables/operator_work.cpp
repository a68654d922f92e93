/// Computation of FLOP and bytes of operators.
#include "models/measured_tables/operator_work.hpp"

#include <algorithm>

#include "models/expect.hpp"
#include "models/transformer/served_model.hpp"

namespace dfsweep {

namespace {

/// Work of a product of `tokens` x k and k x n numbers.
OperatorWork product(double tokens, double k, double n) {
  return {Flop{2.0 * tokens * k * n}, half_word * (tokens * k + k * n + tokens * n)};
}

/// Work of an operation that reads or writes `numbers` numbers, with one FLOP each.
OperatorWork stream(double numbers) {
  return {Flop{numbers}, half_word * numbers};
}

/// Widths of a layer on one device.
struct Widths {
  double query;
  double key_value;  ///< width of keys, and of values
  double ffn;
  explicit Widths(const LayerSplit& layer)
      : query(layer.model.heads * layer.model.head_dim / layer.tensor_parallel),
        key_value(key_value_heads_of_device(layer.model, layer.tensor_parallel) * layer.model.head_dim),
        ffn(layer.model.ffn_hidden / layer.tensor_parallel) {}
};

}  // namespace

OperatorWork token_work(Operator op, const LayerSplit& layer, double tokens) {
  const Widths width(layer);
  const double hidden = layer.model.hidden;
  const double ups = layer.model.up_products;
  switch (op) {
    case Operator::attn_pre_proj:
      return product(tokens, hidden, width.query + 2.0 * width.key_value);
    case Operator::attn_post_proj:
      return product(tokens, width.query, hidden);
    case Operator::mlp_up_proj:
      return product(tokens, hidden, ups * width.ffn);
    case Operator::mlp_down_proj:
      return product(tokens, width.ffn, hidden);
    case Operator::mlp_act:
      return stream(tokens * (ups + 1.0) * width.ffn);
    case Operator::input_layernorm:
    case Operator::post_attention_layernorm:
      return stream(tokens * 2.0 * hidden);
    case Operator::attn_rope:
      return stream(tokens * 2.0 * (width.query + width.key_value));
    case Operator::add:
      return stream(tokens * 3.0 * hidden);
    case Operator::emb:
      return stream(tokens * 2.0 * hidden);
    case Operator::lm_head:
      return product(tokens, hidden, layer.model.vocabulary / layer.tensor_parallel);
    case Operator::attn_kv_cache_save:
      return stream(tokens * 4.0 * width.key_value);
    default:
      break;
  }
  broken_promise("the operator depends on tokens only", __FILE__, __LINE__);
}

OperatorWork decode_work(const LayerSplit& layer, double requests, double context) {
  const Widths width(layer);
  const double attended = requests * (context + 1.0);
  return {Flop{4.0 * width.query * attended},
          half_word * (2.0 * width.key_value * attended + 2.0 * width.query * requests)};
}

OperatorWork prefill_work(const LayerSplit& layer, double context, double chunk) {
  const Widths width(layer);
  const double attended = chunk * (context + (chunk + 1.0) / 2.0);
  return {Flop{4.0 * width.query * attended},
          half_word * (2.0 * width.key_value * (context + chunk) + 2.0 * width.query * chunk)};
}

Seconds roofline_time(const OperatorWork& work, const DeviceRates& rates) {
  DFSWEEP_EXPECT(rates.known());
  return std::max(work.flop / rates.peak, work.bytes / rates.bandwidth);
}

}  // namespace dfsweep
