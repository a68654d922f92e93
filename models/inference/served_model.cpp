/// Decoding and weighing of transformers.
#include "models/inference/served_model.hpp"

#include <cmath>
#include <string>
#include <string_view>

namespace dfsweep {

namespace {

/// Reads whole numbers of an entry and keeps what is wrong with them.
class SizeReader {
 public:
  SizeReader(const Entry& entry, std::vector<std::string>& problems) : entry_(entry), problems_(problems) {}

  double required(std::string_view field) {
    if (!entry_.has_number(field)) {
      problems_.push_back("has no " + std::string(field));
      return 1.0;
    }
    return checked(field, entry_.number_or(field, 1.0), 1.0);
  }
  double optional(std::string_view field, double otherwise, double lowest) {
    return checked(field, entry_.number_or(field, otherwise), lowest);
  }

 private:
  double checked(std::string_view field, double value, double lowest) {
    constexpr double most = 1e9;
    if (value >= lowest && value <= most && value == std::floor(value)) return value;
    problems_.push_back("has a " + std::string(field) + " that is no whole number from " +
                        std::to_string(static_cast<int>(lowest)) + " to 1e9");
    return std::fmax(lowest, 1.0);
  }

  const Entry& entry_;
  std::vector<std::string>& problems_;
};

}  // namespace

Decoded<ServedModel> decode_served_model(const Entry& entry) {
  Decoded<ServedModel> decoded;
  const std::string kind = entry.text_or("kind", "transformer");
  if (kind != "transformer") {
    decoded.problems.push_back("is of kind " + kind + ", not transformer");
    return decoded;
  }
  SizeReader sizes(entry, decoded.problems);
  ServedModel& model = decoded.value;
  model.layers = sizes.required("layers");
  model.hidden = sizes.required("hidden");
  model.heads = sizes.required("heads");
  model.head_dim = sizes.optional("head_dim", std::fmax(std::floor(model.hidden / model.heads), 1.0), 1.0);
  model.key_value_heads = sizes.optional("key_value_heads", model.heads, 1.0);
  model.ffn_hidden = sizes.optional("ffn_hidden", 4.0 * model.hidden, 1.0);
  model.up_products = entry.number_or("gated_ffn", 0.0) > 0.0 ? 2.0 : 1.0;
  model.vocabulary = sizes.optional("vocabulary", 0.0, 0.0);
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
