/// Transformer: the layers that the strategies place, and the batch that goes through them.
/// Source: docs/models/taskgraph.md, tasks and their times.
#pragma once

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct Transformer {
  double layers = 0.0;
  double hidden = 0.0;
  double heads = 0.0;
  double key_value_heads = 0.0;  ///< fewer than heads: grouped queries
  double head_dim = 0.0;
  double ffn_hidden = 0.0;
  double up_products = 1.0;  ///< 2 where the feed-forward network has a gate

  /// Numbers of all heads of a token.
  [[nodiscard]] constexpr double attention_width() const { return heads * head_dim; }
  [[nodiscard]] constexpr double key_value_width() const { return key_value_heads * head_dim; }
};

/// Prefill: the new tokens of a sequence are its context. Decode: one new token of each sequence.
struct Batch {
  double sequences = 0.0;
  double new_tokens = 0.0;  ///< of a sequence
  double context = 0.0;     ///< tokens that each of them attends to, no mask counted

  [[nodiscard]] constexpr double tokens() const { return sequences * new_tokens; }
};

/// Numbers of a layer's weights: queries and output h a each, keys and values h a_kv each, g up and one down of h f.
[[nodiscard]] constexpr double layer_parameters(const Transformer& t) {
  return 2.0 * t.hidden * (t.attention_width() + t.key_value_width()) + (t.up_products + 1.0) * t.hidden * t.ffn_hidden;
}

}  // namespace dfsweep::taskgraph
