#include "models/transformer/model_flop.hpp"

namespace dfsweep {

double context_tokens(const Architecture& a, double sequence, AttentionCount count) {
  const double pairs = count == AttentionCount::causal ? 1 : 2;
  const double open = sequence / 2;
  if (a.window <= 0 || a.window >= sequence) return pairs * open;
  const double windowed = a.window - a.window * a.window / (2 * sequence);
  return pairs * (a.windowed_layers * windowed + (1 - a.windowed_layers) * open);
}

Flop forward_flop_per_token(const Architecture& a, double sequence, AttentionCount count) {
  const double scores = 2 * all_layers(a) * context_tokens(a, sequence, count) * a.heads * (key_dim(a) + value_dim(a));
  return Flop{2 * active_parameters(a) + scores};
}

Flop training_flop_per_token(const Architecture& a, double sequence, AttentionCount count) {
  return 3 * forward_flop_per_token(a, sequence, count);
}

}  // namespace dfsweep
