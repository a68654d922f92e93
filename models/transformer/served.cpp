#include "models/transformer/served.hpp"

namespace dfsweep {

Served served(const Architecture& a) {
  const bool is_latent = a.latent.is_used();
  const double experts = a.experts.count;
  Served s;
  s.layers = a.layers;
  s.expert_layers = experts > 0 ? a.layers - a.experts.dense_layers : 0;
  s.hidden = a.hidden;
  s.vocabulary = a.vocabulary;
  s.key_value_heads = a.key_value_heads;
  s.queries_per_key = is_latent ? 1 : a.heads / a.key_value_heads;
  s.attention_weights = (a.layers - a.linear.layers) * attention_parameters(a) + a.linear.layers * linear_parameters(a);
  s.dense_weights = (a.layers - s.expert_layers) * ffn_parameters(a) + s.expert_layers * shared_parameters(a);
  s.expert_weights = s.expert_layers * experts * expert_parameters(a);
  s.embedding_weights = embedding_parameters(a);
  s.output_weights = a.vocabulary * a.hidden;
  s.experts = s.expert_layers > 0 ? experts : 0;
  s.experts_per_token = a.experts.per_token;
  s.is_latent = is_latent;
  const double cached = a.layers - a.linear.layers;
  s.cache_numbers =
      cached * (is_latent ? a.latent.key_value_rank + a.latent.rotary_dim : 2 * a.key_value_heads * a.head_dim);
  s.score_flop = 2 * cached * a.heads * (key_dim(a) + value_dim(a));
  s.decode_flop = is_latent ? 2 * cached * a.heads * (2 * a.latent.key_value_rank + a.latent.rotary_dim) : s.score_flop;
  s.window = a.window;
  s.windowed_layers = a.window > 0 ? a.windowed_layers : 0;
  if (a.indexer.heads > 0) {
    s.window = a.indexer.positions;
    s.windowed_layers = 1;
    s.indexed_layers = cached;
    s.index_numbers = cached * a.indexer.head_dim;
    s.index_flop = 2 * cached * a.indexer.heads * a.indexer.head_dim;
  }
  s.state_numbers = a.linear.layers * state_numbers(a);
  return s;
}

}  // namespace dfsweep
