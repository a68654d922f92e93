/// Decoding and weighing of transformers.
#include "models/transformer/served_model.hpp"

#include <cmath>
#include <string_view>

#include "models/declared_fields.hpp"

namespace dfsweep::inference {

namespace {

constexpr double most = 1e9;  ///< of a size
constexpr std::string_view kinds[] = {"transformer"};

}  // namespace

Decoded<ServedModel> decode_served_model(const Entry& entry) {
  Decoded<ServedModel> decoded;
  FieldsOf<ModelField> fields(entry, decoded.problems);
  if (fields.has_text("kind") && !fields.choice("kind", kinds)) return decoded;
  ServedModel& model = decoded.value;
  model.layers = fields.whole("layers", 1.0, most);
  model.hidden = fields.whole("hidden", 1.0, most);
  model.heads = fields.whole("heads", 1.0, most);
  model.head_dim = fields.whole_or("head_dim", std::fmax(std::floor(model.hidden / model.heads), 1.0), 1.0, most);
  model.key_value_heads = fields.whole_or("key_value_heads", model.heads, 1.0, most);
  model.ffn_hidden = fields.whole_or("ffn_hidden", 4.0 * model.hidden, 1.0, most);
  model.up_products = fields.number_or("gated_ffn", 0.0) > 0.0 ? 2.0 : 1.0;
  model.vocabulary = fields.whole_or("vocabulary", 0.0, 0.0, most);
  model.experts = fields.whole_or("experts", 0.0, 0.0, most);
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

Bytes cache_per_token(const ServedModel& m, double t, double layers, Bytes word) {
  return 2.0 * m.head_dim * key_value_heads_of_device(m, t) * word * layers;
}

}  // namespace dfsweep::inference
