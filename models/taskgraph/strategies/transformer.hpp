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
  double ffn_hidden = 0.0;
  double up_products = 1.0;  ///< 2 where the feed-forward network has a gate

  /// Width of all heads of a token together.
  [[nodiscard]] constexpr double attention_width() const { return heads * head_dim; }
  [[nodiscard]] constexpr double key_value_width() const { return key_value_heads * head_dim; }
};

/// Prefill: all tokens of a sequence are new. Decode: one new token per sequence.
struct Batch {
  double sequences = 0.0;
  double new_tokens = 0.0;  ///< per sequence
  double context = 0.0;     ///< tokens to which each new token attends, without mask

  [[nodiscard]] constexpr double tokens() const { return sequences * new_tokens; }
};

/// Weights per layer: queries and output h a each, keys and values h a_kv each, g up-projections and one
/// down-projection of h f each.
[[nodiscard]] constexpr double layer_parameters(const Transformer& t) {
  return 2.0 * t.hidden * (t.attention_width() + t.key_value_width()) + (t.up_products + 1.0) * t.hidden * t.ffn_hidden;
}

}  // namespace dfsweep::taskgraph
