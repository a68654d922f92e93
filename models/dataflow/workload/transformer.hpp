/// Transformer layers as graphs: forward only, and forward with backward and weight updates.
#pragma once

#include "models/dataflow/workload/graph.hpp"

namespace dfsweep::dataflow {

enum class FeedForward : std::uint8_t { plain, gated };

/// Sizes of one layer. Whole numbers >= 1; key_value_heads divides heads.
struct TransformerSizes {
  double hidden = 0.0;
  double heads = 0.0;
  double head_dim = 0.0;
  double key_value_heads = 0.0;
  double ffn_hidden = 0.0;
  FeedForward feed_forward = FeedForward::plain;
  double sequence_length = 0.0;
};

/// The forward layer of [dfmodel] section 1.1: 18 kernels and 21 edges (a gated feed-forward network adds FFN_Gate and
/// FFN_Multiply at the end). With grouped queries, K and V have key_value_heads heads.
[[nodiscard]] Graph transformer_forward(const TransformerSizes& sizes);

/// The layer of [dfmodel] section 1.2: 41 kernels and 53 edges. A gated feed-forward network adds five kernels: two
/// forward, and FFN_Multiply_bwd, FFN_Gate_bwd, FFN_Gate_bwd_weight_update after the weight updates of the plain layer.
[[nodiscard]] Graph transformer_training(const TransformerSizes& sizes);

}  // namespace dfsweep::dataflow
