#include "models/transformer/served.hpp"

namespace dfsweep {

Served served(const Architecture& a) {
  const bool is_latent = a.latent.query_rank > 0;
  const double experts = a.experts.count;
  Served s;
  s.layers = a.layers;
  s.expert_layers = experts > 0 ? a.layers - a.experts.dense_layers : 0;
  s.hidden = a.hidden;
  s.vocabulary = a.vocabulary;
  s.key_value_heads = a.key_value_heads;
  s.queries_per_key = is_latent ? 1 : a.heads / a.key_value_heads;
  s.attention_weights = a.layers * attention_parameters(a);
  s.dense_weights = (a.layers - s.expert_layers) * ffn_parameters(a) + s.expert_layers * shared_parameters(a);
  s.expert_weights = s.expert_layers * experts * expert_parameters(a);
  s.embedding_weights = embedding_parameters(a);
  s.output_weights = a.vocabulary * a.hidden;
  s.experts = s.expert_layers > 0 ? experts : 0;
  s.experts_per_token = a.experts.per_token;
  s.is_latent = is_latent;
  s.cache_numbers =
      a.layers * (is_latent ? a.latent.key_value_rank + a.latent.rotary_dim : 2 * a.key_value_heads * a.head_dim);
  s.score_flop = 2 * a.layers * a.heads * (key_dim(a) + value_dim(a));
  s.window = a.window;
  s.windowed_layers = a.window > 0 ? a.windowed_layers : 0;
  return s;
}

}  // namespace dfsweep
