/// Decoding and weighing of transformers.
#include "models/inference/served_model.hpp"

#include <cmath>
#include <string>

#include "models/size_fields.hpp"

namespace dfsweep {

Decoded<ServedModel> decode_served_model(const Entry& entry) {
  Decoded<ServedModel> decoded;
  const std::string kind = entry.text_or("kind", "transformer");
  if (kind != "transformer") {
    decoded.problems.push_back("is of kind " + kind + ", not transformer");
    return decoded;
  }
  SizeFields sizes(entry, 1e9, decoded.problems);
  ServedModel& model = decoded.value;
  model.layers = sizes.required("layers");
  model.hidden = sizes.required("hidden");
  model.heads = sizes.required("heads");
  model.head_dim = sizes.optional("head_dim", std::fmax(std::floor(model.hidden / model.heads), 1.0));
  model.key_value_heads = sizes.optional("key_value_heads", model.heads);
  model.ffn_hidden = sizes.optional("ffn_hidden", 4.0 * model.hidden);
  model.up_products = entry.number_or("gated_ffn", 0.0) > 0.0 ? 2.0 : 1.0;
  model.vocabulary = sizes.optional("vocabulary", 0.0, 0);
  return decoded;
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

double cache_bytes_per_token(const ServedModel& m, double t, double layers, double word_bytes) {
  return 2.0 * m.head_dim * key_value_heads_of_device(m, t) * word_bytes * layers;
}

}  // namespace dfsweep
