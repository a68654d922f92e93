/// TransformerSizes: the sizes of a transformer layer from which its graph is made.
#pragma once

#include <cstdint>

namespace dfsweep::dataflow {

enum class FeedForward : std::uint8_t { plain, gated };

/// Experts in place of a feed-forward network; the width of one is TransformerSizes::ffn_hidden.
struct RoutedSizes {
  double stored = 0.0;             ///< experts with weights; 0: a dense layer
  double busy = 0.0;               ///< experts with work, at most `stored`
  double tokens_per_expert = 0.0;  ///< of a busy expert: their products with `busy` cover all visits
  double per_token = 0.0;          ///< experts that a token visits
  double shared_ffn_hidden = 0.0;  ///< width of the shared experts together; 0: none
};

/// Sizes of one layer. Whole numbers >= 1; key_value_heads divides heads.
struct TransformerSizes {
  double hidden = 0.0;
  double heads = 0.0;
  double head_dim = 0.0;
  double key_value_heads = 0.0;
  double ffn_hidden = 0.0;
  FeedForward feed_forward = FeedForward::plain;
  double sequence_length = 0.0;
  RoutedSizes routed{};
};

}  // namespace dfsweep::dataflow
