#include "models/transformer/served_model.hpp"

#include <cmath>
#include <utility>

namespace dfsweep {

ServedModel served_model(const TransformerEntry& t) {
  ServedModel model;
  model.layers = t.layers;
  model.hidden = t.hidden;
  model.heads = t.heads;
  model.head_dim = given_or(t.head_dim, std::fmax(std::floor(t.hidden / t.heads), 1.0));
  model.key_value_heads = given_or(t.key_value_heads, t.heads);
  model.ffn_hidden = given_or(t.ffn_hidden, 4.0 * t.hidden);
  model.up_products = 1.0 + given_or(t.gated_ffn, 0);
  model.vocabulary = given_or(t.vocabulary, 0);
  model.experts = given_or(t.experts, 0);
  model.has_other_attention =
      t.has_latent_attention() || t.has_indexer() || t.has_linear_layers() || given_or(t.gated_attention, 0) > 0;
  return model;
}

Decoded<ServedModel> decode_served_model(const Entry& entry) {
  Decoded<TransformerEntry> read = decode_transformer(entry);
  if (!read.problems.empty()) return {{}, std::move(read.problems)};
  return {served_model(read.value), {}};
}

double key_value_heads_of_device(const ServedModel& model, double tensor_parallel) {
  return std::ceil(model.key_value_heads / tensor_parallel);
}

double layer_weights(const ServedModel& m, double t) {
  const double head = m.hidden * m.head_dim;
  const double attention = head * (m.heads / t + 2.0 * key_value_heads_of_device(m, t)) + head * m.heads / t;
  return std::floor(attention + (m.up_products + 1.0) * m.hidden * m.ffn_hidden / t);
}

double embedding_weights(const ServedModel& m, double t) {
  return m.vocabulary * m.hidden / t;
}

Bytes cache_per_token(const ServedModel& m, double t, double layers, Bytes word) {
  return 2.0 * m.head_dim * key_value_heads_of_device(m, t) * word * layers;
}

}  // namespace dfsweep
