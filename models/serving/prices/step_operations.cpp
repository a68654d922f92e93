/// Shapes of the matrices of a layer, cut over the devices of a rank.
#include "models/serving/prices/step_operations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "models/machine/group_place.hpp"

namespace dfsweep::serving {

namespace {

using operators::Family;
using operators::Keys;
using Formats = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> plain_formats{"bfloat16", "float16", "half"};
constexpr std::array<std::string_view, 2> bits8_formats{"fp8", "fp8_block"};
/// Experts of 8 bits have scales of blocks in most checkpoints.
constexpr std::array<std::string_view, 2> bits8_expert_formats{"fp8_block", "fp8"};
constexpr std::array<std::string_view, 1> weight8_formats{"int8_wo"};
constexpr std::array<std::string_view, 2> weight4_formats{"int4_wo", "w4a16_mxfp4"};
constexpr std::array<std::string_view, 1> weight4_in_8bit_formats{"w4a8_mxfp4_mxfp8"};
constexpr std::array<std::string_view, 1> bits4_formats{"nvfp4"};
constexpr std::array<std::string_view, 2> cache8_formats{"fp8", "bfloat16"};
/// Exponent of the power law of routing in tables that is taken for served models, whose routing is uneven.
constexpr double routing_exponent = 1.01;

/// `bytes`: of a weight, with its share of the scales.
Formats formats_of(MatrixFormat products, double bytes, Formats bits8) {
  if (products == MatrixFormat::bits4) return bits4_formats;
  if (products == MatrixFormat::bits8) return bytes < 0.8 ? Formats(weight4_in_8bit_formats) : bits8;
  return bytes < 0.8 ? Formats(weight4_formats) : bytes < 1.6 ? Formats(weight8_formats) : Formats(plain_formats);
}

/// The kinds of attention layers: those whose tokens see all tokens before, and those with a window.
struct AttentionKind {
  double layers = 0.0;
  double window = 0.0;
};

class OperationList {
 public:
  OperationList(const Architecture& a, const Replica& r) : a_(a), r_(r) {}

  void add_attention_products() {
    const Formats formats = formats_of(r_.attention_products, r_.bytes.attention, bits8_formats);
    const auto add = [&](std::string_view name, double n, double k) {
      add_product(StepPart::attention_products, name, n, k, a_.layers, formats);
    };
    const double t = r_.tensor;
    if (const LatentAttention& l = a_.latent; l.is_used()) {
      add(l.query_rank > 0 ? "latent queries, keys and values" : "latent keys and values",
          l.query_rank + l.key_value_rank + l.rotary_dim, a_.hidden);
      add("queries", a_.heads / t * (l.plain_dim + l.rotary_dim), query_source_dim(a_));
      add("keys and values", a_.heads / t * (l.plain_dim + l.value_dim), l.key_value_rank);
      add("attention output", a_.hidden, a_.heads / t * l.value_dim);
      return;
    }
    const double queries = a_.heads / t * (a_.gated_attention ? 2.0 : 1.0);
    add("queries, keys and values", (queries + 2 * key_heads()) * a_.head_dim, a_.hidden);
    add("attention output", a_.hidden, a_.heads / t * a_.head_dim);
  }

  void add_dense_products() {
    const Formats formats = formats_of(r_.products, r_.bytes.weight, bits8_formats);
    const double expert_layers = r_.model.expert_layers;
    add_network("gate and up", "down", a_.ffn_hidden, a_.layers - expert_layers, formats);
    if (expert_layers <= 0) return;
    add_network("gate and up of shared experts", "down of shared experts", a_.experts.shared_ffn_hidden, expert_layers,
                formats);
    add_product(StepPart::dense_products, "router", a_.experts.count, a_.hidden, expert_layers, plain_formats);
  }

  void add_experts() {
    if (r_.model.expert_layers <= 0) return;
    StepOperation experts{.part = StepPart::experts, .name = "experts"};
    experts.query = {.family = Family::experts,
                     .formats = formats_of(r_.products, r_.bytes.weight, bits8_expert_formats),
                     .products = a_.ffn_matrices};
    experts.keys = {0.0,
                    a_.hidden,
                    a_.experts.ffn_hidden,
                    a_.experts.per_token,
                    a_.experts.count,
                    r_.tensor * r_.attention_data / r_.expert,
                    r_.expert,
                    routing_exponent};
    experts.count = r_.model.expert_layers;
    list.push_back(experts);
  }

  void add_output() {
    if (a_.vocabulary > 0)
      add_product(StepPart::output, "output layer", a_.vocabulary / r_.tensor, a_.hidden, 1.0, plain_formats);
  }

  void add_attention() {
    if (a_.latent.is_used()) return add_latent_attention();
    const double windowed = a_.window > 0 ? a_.windowed_layers : 0.0;
    for (const AttentionKind& kind :
         {AttentionKind{a_.layers * (1 - windowed), 0.0}, AttentionKind{a_.layers * windowed, a_.window}}) {
      if (kind.layers <= 0) continue;
      const std::string variant = std::to_string(static_cast<long>(a_.head_dim)) + (kind.window > 0 ? " window" : "");
      const Keys keys{0.0, 0.0, 0.0, a_.heads / r_.tensor, key_heads(), a_.head_dim, kind.window};
      add_scores(StepPart::prompts, {.family = Family::prompts, .variant = variant}, keys, kind.layers);
      add_scores(StepPart::decoding, {.family = Family::decoding, .variant = variant}, keys, kind.layers);
    }
  }

  void add_exchanges() {
    if (r_.tensor <= 1 || place(r_.tensor, 1, r_.network.enclosures).in_node < r_.tensor) return;
    const double sent_layers = r_.attention_data > 1 ? r_.model.expert_layers : 0.0;
    StepOperation own{.part = StepPart::exchanges, .name = "all-reduce of the engine"};
    own.query = {.family = Family::own_all_reduces, .formats = plain_formats};
    own.keys[0] = r_.tensor;
    own.count = 2 * a_.layers - sent_layers;
    own.token_bytes = a_.hidden * r_.bytes.activation;
    StepOperation library = own;
    library.name = "all-reduce of the library";
    library.query = {.family = Family::library_exchanges, .formats = plain_formats, .variant = "all_reduce"};
    library.is_of_library = true;
    list.push_back(own);
    list.push_back(library);
  }

  std::vector<StepOperation> list;

 private:
  /// Heads of keys on the fullest device.
  [[nodiscard]] double key_heads() const { return std::ceil(a_.key_value_heads / r_.tensor); }

  void add_product(StepPart part, std::string_view name, double n, double k, double count, Formats formats) {
    StepOperation product{.part = part, .name = name};
    product.query = {.family = Family::products, .formats = formats};
    product.keys = {0.0, n, k};
    product.count = count;
    list.push_back(product);
  }

  void add_network(std::string_view up, std::string_view down, double inner, double layers, Formats formats) {
    if (inner <= 0 || layers <= 0) return;
    const double cut = inner / r_.tensor;
    add_product(StepPart::dense_products, up, (a_.ffn_matrices - 1) * cut, a_.hidden, layers, formats);
    add_product(StepPart::dense_products, down, a_.hidden, cut, layers, formats);
  }

  void add_scores(StepPart part, operators::TableQuery query, const Keys& keys, double layers) {
    const bool is_8bit = r_.bytes.cache <= 1;
    query.formats = is_8bit ? Formats(cache8_formats) : Formats(plain_formats).first(1);
    query.cache = is_8bit ? "fp8" : "bfloat16";
    StepOperation scores{.part = part, .name = part == StepPart::prompts ? "attention of prompts" : "attention"};
    if (keys[6] > 0) scores.name = part == StepPart::prompts ? "attention of prompts, window" : "attention, window";
    scores.query = std::move(query);
    scores.keys = keys;
    scores.count = layers;
    list.push_back(scores);
  }

  void add_latent_attention() {
    const Keys keys{0.0, 0.0, 0.0, a_.heads / r_.tensor};
    add_scores(StepPart::prompts, {.family = Family::latent_prompts, .variant = "context_mla"}, keys, a_.layers);
    add_scores(StepPart::decoding, {.family = Family::latent_decoding, .variant = "generation_mla"}, keys, a_.layers);
  }

  const Architecture& a_;
  const Replica& r_;
};

}  // namespace

std::vector<StepOperation> step_operations(const Architecture& a, const Replica& r) {
  OperationList operations(a, r);
  if (!has_unlike_attention(a)) {
    operations.add_attention_products();
    operations.add_attention();
  }
  operations.add_dense_products();
  operations.add_experts();
  operations.add_output();
  operations.add_exchanges();
  return std::move(operations.list);
}

Keys keys_of(const StepOperation& operation, const StepSizes& sizes) {
  Keys keys = operation.keys;
  switch (operation.part) {
    case StepPart::prompts:
    case StepPart::decoding:
      keys[0] = sizes.first;
      keys[1] = sizes.tokens;
      keys[2] = sizes.context;
      break;
    case StepPart::exchanges:
      keys[1] = sizes.first * operation.token_bytes;
      break;
    default:
      keys[0] = sizes.first;
  }
  return keys;
}

}  // namespace dfsweep::serving
