#include "models/transformer/model_flop.hpp"

namespace dfsweep {

double context_tokens(const Architecture& a, double sequence, AttentionCount count) {
  const double pairs = count == AttentionCount::causal ? 1 : 2;
  const double open = sequence / 2;
  const double window = a.indexer.heads > 0 ? a.indexer.positions : a.window;
  const double layers = a.indexer.heads > 0 ? 1.0 : a.windowed_layers;
  if (window <= 0 || window >= sequence) return pairs * open;
  const double windowed = window - window * window / (2 * sequence);
  return pairs * (layers * windowed + (1 - layers) * open);
}

Flop forward_flop_per_token(const Architecture& a, double sequence, AttentionCount count) {
  const double layers = all_layers(a) - a.linear.layers;
  const double scores = context_tokens(a, sequence, count) * a.heads * (key_dim(a) + value_dim(a));
  const double index =
      (count == AttentionCount::causal ? sequence / 2 : sequence) * a.indexer.heads * a.indexer.head_dim;
  return Flop{2 * active_parameters(a) + 2 * layers * (scores + index)};
}

Flop training_flop_per_token(const Architecture& a, double sequence, AttentionCount count) {
  return 3 * forward_flop_per_token(a, sequence, count);
}

}  // namespace dfsweep
