/// Transformer: the layers to place, and the batch to process.
/// Source: docs/models/taskgraph.md, tasks and their times.
#pragma once

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct Transformer {
  double layers = 0.0;
  double hidden = 0.0;
  double heads = 0.0;
  double key_value_heads = 0.0;  ///< grouped-query attention where fewer than `heads`
  double head_dim = 0.0;
  double ffn_hidden = 0.0;   ///< of one routed expert where the model has experts
  double up_products = 1.0;  ///< 2 where the feed-forward network has a gate
  double experts = 0.0;      ///< routed experts of every layer; 0: dense feed-forward networks
  double experts_per_token = 0.0;
  double shared_ffn_hidden = 0.0;  ///< width of all shared experts together
  double dense_layers = 0.0;       ///< layers without experts in a model with experts
  double window = 0.0;             ///< sliding window of some layers in tokens; 0: no window
  bool has_latent_attention = false;
  bool has_unlike_attention = false;  ///< linear, sparse or gated attention

  /// Width of all heads of a token together.
  [[nodiscard]] constexpr double attention_width() const { return heads * head_dim; }
  [[nodiscard]] constexpr double key_value_width() const { return key_value_heads * head_dim; }
};

/// Prefill: all tokens of a sequence are new. Decode: one new token per sequence.
struct Batch {
  double sequences = 0.0;
  double new_tokens = 0.0;  ///< per sequence
  double context = 0.0;     ///< tokens to which each new token attends, without mask
  bool is_decode = false;   ///< a prompt may also have a single token

  [[nodiscard]] constexpr double tokens() const { return sequences * new_tokens; }
};

/// Weights per layer: queries and output h a each, keys and values h a_kv each, g up-projections and one
/// down-projection of h f each. With experts: E such feed-forward networks, whatever number of them a token visits, the
/// shared ones, and the router of h E.
[[nodiscard]] constexpr double layer_parameters(const Transformer& t) {
  const double attention = 2.0 * t.hidden * (t.attention_width() + t.key_value_width());
  const double widths = t.experts > 0.0 ? t.experts * t.ffn_hidden + t.shared_ffn_hidden : t.ffn_hidden;
  return attention + (t.up_products + 1.0) * t.hidden * widths + t.hidden * t.experts;
}

}  // namespace dfsweep::taskgraph
