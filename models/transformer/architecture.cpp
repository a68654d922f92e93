#include "models/transformer/architecture.hpp"

#include <utility>

namespace dfsweep {

namespace {

LatentAttention latent_attention(const TransformerEntry& t) {
  if (!t.has_latent_attention()) return {};
  return {given_or(t.query_rank, 0), t.key_value_rank, t.plain_head_dim, t.rotary_head_dim, t.value_head_dim};
}

Indexer indexer(const TransformerEntry& t) {
  if (!t.has_indexer()) return {};
  return {t.index_heads, t.index_head_dim, t.index_positions};
}

LinearAttention linear_attention(const TransformerEntry& t) {
  if (!t.has_linear_layers()) return {};
  return {t.linear_layers, t.linear_key_heads, t.linear_key_dim, t.linear_value_heads, t.linear_value_dim};
}

/// Parameters of an indexer, whose queries come from where those of attention come from.
double indexer_parameters(const Architecture& a) {
  const Indexer& i = a.indexer;
  return query_source_dim(a) * i.heads * i.head_dim + a.hidden * (i.heads + i.head_dim);
}

Experts experts(const TransformerEntry& t) {
  if (!t.has_experts()) return {};
  return {t.experts,
          t.experts_per_token,
          t.expert_ffn_hidden,
          given_or(t.shared_ffn_hidden, 0),
          given_or(t.dense_layers, 0),
          given_or(t.expert_biases, 0) != 0};
}

}  // namespace

Decoded<Architecture> architecture_of(const TransformerEntry& t) {
  Decoded<Architecture> decoded;
  require_parts(t, decoded.problems);
  Architecture& a = decoded.value;
  a.layers = t.layers;
  a.hidden = t.hidden;
  a.heads = t.heads;
  a.key_value_heads = given_or(t.key_value_heads, t.heads);
  a.head_dim = given_or(t.head_dim, t.hidden / t.heads);
  a.ffn_hidden = given_or(t.ffn_hidden, 4 * t.hidden);
  a.ffn_matrices = 2 + given_or(t.gated_ffn, 0);
  a.vocabulary = given_or(t.vocabulary, 0);
  a.tied_embeddings = given_or(t.tied_embeddings, 0) != 0;
  a.window = given_or(t.window, 0);
  a.windowed_layers = a.window > 0 ? given_or(t.windowed_layers, 1) : 0;
  a.prediction_layers = given_or(t.prediction_layers, 0);
  a.gated_attention = given_or(t.gated_attention, 0) != 0;
  a.latent = latent_attention(t);
  a.indexer = indexer(t);
  a.linear = linear_attention(t);
  a.experts = experts(t);
  return decoded;
}

Decoded<Architecture> decode_architecture(const Entry& entry) {
  Decoded<TransformerEntry> read = decode_transformer(entry);
  if (!read.problems.empty()) return {{}, std::move(read.problems)};
  return architecture_of(read.value);
}

double query_source_dim(const Architecture& a) {
  return a.latent.query_rank > 0 ? a.latent.query_rank : a.hidden;
}

double key_dim(const Architecture& a) {
  return a.latent.is_used() ? a.latent.plain_dim + a.latent.rotary_dim : a.head_dim;
}

double value_dim(const Architecture& a) {
  return a.latent.is_used() ? a.latent.value_dim : a.head_dim;
}

double all_layers(const Architecture& a) {
  return a.layers + a.prediction_layers;
}

double dense_layers(const Architecture& a) {
  return a.experts.count > 0 ? a.experts.dense_layers : all_layers(a);
}

double expert_layers(const Architecture& a) {
  return all_layers(a) - dense_layers(a);
}

double attention_parameters(const Architecture& a) {
  const LatentAttention& l = a.latent;
  const double index = a.indexer.heads > 0 ? indexer_parameters(a) : 0.0;
  if (!l.is_used()) {
    const double queries = (a.gated_attention ? 2 : 1) * a.heads;
    return a.hidden * (queries + 2 * a.key_value_heads) * a.head_dim + a.heads * a.head_dim * a.hidden + index;
  }
  const double down = a.hidden * (l.query_rank + l.key_value_rank + l.rotary_dim);
  return down + latent_up_parameters(a) + a.heads * l.value_dim * a.hidden + index;
}

double linear_parameters(const Architecture& a) {
  const LinearAttention& l = a.linear;
  const double values = l.value_heads * l.value_dim;
  return a.hidden * (2 * l.key_heads * l.key_dim + 2 * values + 2 * l.value_heads) + values * a.hidden;
}

double state_numbers(const Architecture& a) {
  return a.linear.value_heads * a.linear.key_dim * a.linear.value_dim;
}

double all_attention_parameters(const Architecture& a) {
  return (all_layers(a) - a.linear.layers) * attention_parameters(a) + a.linear.layers * linear_parameters(a);
}

double latent_up_parameters(const Architecture& a) {
  const LatentAttention& l = a.latent;
  if (!l.is_used()) return 0;
  return query_source_dim(a) * a.heads * (l.plain_dim + l.rotary_dim) +
         l.key_value_rank * a.heads * (l.plain_dim + l.value_dim);
}

double ffn_parameters(const Architecture& a) {
  return a.ffn_matrices * a.hidden * a.ffn_hidden;
}

double expert_parameters(const Architecture& a) {
  return a.ffn_matrices * a.hidden * a.experts.ffn_hidden;
}

double shared_parameters(const Architecture& a) {
  return a.ffn_matrices * a.hidden * a.experts.shared_ffn_hidden + a.hidden * a.experts.count;
}

double embedding_parameters(const Architecture& a) {
  return (a.tied_embeddings ? 1 : 2) * a.vocabulary * a.hidden;
}

double total_parameters(const Architecture& a) {
  return all_attention_parameters(a) + dense_layers(a) * ffn_parameters(a) +
         expert_layers(a) * (a.experts.count * expert_parameters(a) + shared_parameters(a)) + embedding_parameters(a);
}

double active_parameters(const Architecture& a) {
  return all_attention_parameters(a) + dense_layers(a) * ffn_parameters(a) +
         expert_layers(a) * (a.experts.per_token * expert_parameters(a) + shared_parameters(a)) +
         a.vocabulary * a.hidden;
}

}  // namespace dfsweep
