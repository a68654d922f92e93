#include "engine/foreign/huggingface_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/foreign/calculon_words.hpp"
#include "engine/foreign/document_reader.hpp"
#include "io/number_format.hpp"
#include "models/transformer/entry.hpp"

namespace dfsweep::foreign {

namespace {

/// Properties of a model type that its config.json does not contain.
struct ModelFamily {
  std::string_view type;         ///< `model_type`
  bool has_gate = true;          ///< the feed-forward network is gated
  bool ties_embeddings = false;  ///< default of `tie_word_embeddings`
  bool shares_norm = false;      ///< attention and feed-forward network share a norm
  bool has_windows = false;      ///< layers use `sliding_window`
  double whole_every = 0.0;      ///< n: every n-th layer has no window; 0: all have one
  bool shares_expert = false;    ///< every token visits one more expert of the same width
  bool has_biases = false;       ///< experts add biases and clamp their gate
};
constexpr ModelFamily families[] = {
    {.type = "llama"},
    {.type = "mistral", .has_windows = true},
    {.type = "mixtral", .has_windows = true},
    {.type = "llama4_text", .has_windows = true, .whole_every = 4.0, .shares_expert = true},
    {.type = "arcee", .has_gate = false},
    {.type = "qwen2"},
    {.type = "qwen2_5_vl_text"},
    {.type = "qwen2_moe"},
    {.type = "qwen3"},
    {.type = "qwen3_moe"},
    {.type = "qwen3_vl_text"},
    {.type = "qwen3_vl_moe_text"},
    {.type = "phi3", .has_windows = true},
    {.type = "phimoe", .has_windows = true},
    {.type = "gemma", .ties_embeddings = true},
    {.type = "gemma2", .ties_embeddings = true, .has_windows = true, .whole_every = 2.0},
    {.type = "gemma3_text", .ties_embeddings = true, .has_windows = true, .whole_every = 6.0},
    {.type = "deepseek_v2"},
    {.type = "deepseek_v3"},
    {.type = "dots1"},
    {.type = "olmo"},
    {.type = "olmo2"},
    {.type = "olmoe"},
    {.type = "olmo3", .has_windows = true, .whole_every = 4.0},
    {.type = "kimi_k2"},
    {.type = "glm4"},
    {.type = "glm4_moe"},
    {.type = "granite"},
    {.type = "granitemoe"},
    {.type = "granitemoeshared"},
    {.type = "seed_oss"},
    {.type = "ernie4_5", .ties_embeddings = true},
    {.type = "ernie4_5_moe", .ties_embeddings = true},
    {.type = "minimax_m2"},
    {.type = "smollm3"},
    {.type = "stablelm"},
    {.type = "nemotron", .has_gate = false},
    {.type = "internlm2"},
    {.type = "cohere", .ties_embeddings = true, .shares_norm = true},
    {.type = "cohere2", .ties_embeddings = true, .shares_norm = true, .has_windows = true, .whole_every = 4.0},
    {.type = "gpt_oss", .has_windows = true, .whole_every = 2.0, .has_biases = true},
    {.type = "gpt2", .has_gate = false, .ties_embeddings = true},
    {.type = "gpt_bigcode", .has_gate = false, .ties_embeddings = true},
    {.type = "gpt_neox", .has_gate = false},
    {.type = "gptj", .has_gate = false, .shares_norm = true},
    {.type = "opt", .has_gate = false, .ties_embeddings = true},
    {.type = "bloom", .has_gate = false, .ties_embeddings = true},
    {.type = "falcon", .has_gate = false, .ties_embeddings = true, .shares_norm = true},
    {.type = "phi", .has_gate = false, .shares_norm = true},
    {.type = "starcoder2", .has_gate = false, .ties_embeddings = true},
};

using Spellings = std::initializer_list<std::string_view>;

/// Reads fields of a file and writes them as lines of an entry.
class ConfigReader {
 public:
  ConfigReader(const Document& document, const std::string& shown)
      : document_(document), reader_(document, {shown, 1, 1}, "", problems_), shown_(shown) {}

  /// The number of the first of these field names that the file has.
  [[nodiscard]] std::optional<double> find(Spellings spellings) {
    for (const std::string_view name : spellings)
      if (document_.find(name) != nullptr) {
        const double number = reader_.number(name);
        read_.emplace_back(name, number);
        return number;
      }
    return std::nullopt;
  }
  double number(Spellings spellings) {
    const std::optional<double> found = find(spellings);
    if (!found) complain(fmt::format("'{}' is missing", *spellings.begin()), "required for the size of the model");
    return found.value_or(1.0);
  }
  /// The value of a boolean field.
  [[nodiscard]] bool boolean_or(std::string_view name, bool otherwise) {
    return document_.find(name) == nullptr ? otherwise : reader_.boolean(name);
  }
  [[nodiscard]] std::string type() { return reader_.text("model_type"); }
  void complain(std::string problem, std::string reason) {
    reader_.complain({shown_, 1, 1}, std::move(problem), std::move(reason));
  }

  void add(std::string_view field, double value) {
    lines_ += fmt::format("{} = {{ value = {}, source = {} }}\n", field, shortest(value), toml_quoted(shown_));
    entry_.numbers[std::string(field)] = value;
  }
  /// Throws UserError if there was a problem, or if no estimator could use the entry.
  [[nodiscard]] std::string take() {
    if (problems_.empty()) check_entry();
    if (!problems_.empty()) throw UserError(std::move(problems_));
    return std::move(lines_);
  }

 private:
  /// Asks the decoder of transformers, which knows the range of each field.
  void check_entry() {
    entry_.texts["kind"] = "transformer";
    Decoded<TransformerEntry> decoded = decode_transformer(entry_);
    require_parts(decoded.value, decoded.problems);
    for (EntryProblem& found : decoded.problems) {
      const std::string reason = found.reason.empty() ? "needed by a transformer" : found.reason;
      if (!is_written(found)) {
        complain(found.problem, reason);
      } else if (const std::string_view origin = origin_of(found); origin.empty()) {
        complain(found.problem + ", computed from other fields", reason);
      } else {
        reader_.complain(document_.find(origin)->at, fmt::format("{}, from {}", found.problem, origin), reason);
      }
    }
  }

  /// Whether the entry has the first field of a problem.
  [[nodiscard]] bool is_written(const EntryProblem& found) const {
    return !found.fields.empty() && entry_.has_number(found.fields.front());
  }
  /// The field of the file that the first field of a problem comes from; "" if it is computed. Pre: is_written().
  [[nodiscard]] std::string_view origin_of(const EntryProblem& found) const {
    const double value = entry_.numbers.find(found.fields.front())->second;
    for (const auto& [name, number] : read_)
      if (number == value) return name;
    return {};
  }

  const Document& document_;
  std::vector<Problem> problems_;
  DocumentReader reader_;
  std::string shown_;
  std::string lines_;
  Entry entry_;                                       ///< the numbers of `lines_`
  std::vector<std::pair<std::string, double>> read_;  ///< names and numbers that were read from the file
};

const ModelFamily& family_of(const std::string& type, ConfigReader& config) {
  const auto found = std::find_if(std::begin(families), std::end(families),
                                  [&](const ModelFamily& family) { return family.type == type; });
  if (found != std::end(families)) return *found;
  std::string known;
  for (const ModelFamily& family : families) known += (known.empty() ? "" : ", ") + std::string(family.type);
  config.complain(fmt::format("unknown model_type '{}'", type), "known: " + known);
  return families[0];
}

void add_attention(ConfigReader& config, double hidden, double heads) {
  config.add("heads", heads);
  const double whole_width = config.find({"kv_lora_rank"}) ? config.number({"v_head_dim"}) : hidden / heads;
  config.add("head_dim", config.find({"head_dim"}).value_or(whole_width));
  const double shared = config.boolean_or("multi_query", false) ? 1.0 : heads;
  config.add("key_value_heads", config.find({"num_key_value_heads", "num_kv_heads"}).value_or(shared));
  if (!config.find({"kv_lora_rank"})) return;
  if (const auto rank = config.find({"q_lora_rank"})) config.add("query_rank", *rank);
  config.add("key_value_rank", config.number({"kv_lora_rank"}));
  config.add("plain_head_dim", config.number({"qk_nope_head_dim"}));
  config.add("rotary_head_dim", config.number({"qk_rope_head_dim"}));
  config.add("value_head_dim", config.number({"v_head_dim"}));
}

/// Share of the layers that have a window: of the list of all layers where there is one, else all but every n-th.
double windowed_share(ConfigReader& config, const ModelFamily& family, const NodeList* types, double layers) {
  if (types != nullptr && !types->empty()) {
    const auto windowed = std::count_if(types->begin(), types->end(), [](const Node& type) {
      return type.text() != nullptr && (*type.text() == "sliding_attention" || *type.text() == "chunked_attention");
    });
    return static_cast<double>(windowed) / static_cast<double>(types->size());
  }
  const double every = config.find({"sliding_window_pattern"}).value_or(family.whole_every);
  return every >= 1.0 ? 1.0 - std::floor(layers / every) / layers : 1.0;
}

void add_window(ConfigReader& config, const ModelFamily& family, const Node* types, double layers) {
  const bool is_used = family.has_windows && config.boolean_or("use_sliding_window", true);
  const double window = config.find({"sliding_window", "attention_chunk_size"}).value_or(0.0);
  if (!is_used || window <= 0.0) return;
  const double share = windowed_share(config, family, types != nullptr ? types->array() : nullptr, layers);
  if (!(share > 0.0)) return;
  config.add("window", window);
  config.add("windowed_layers", share);
}

/// Layers without experts: those that are not in the list of layers with experts, or all but every n-th, or the first.
double dense_layers(ConfigReader& config, const NodeList* with_experts, double layers) {
  if (with_experts != nullptr && !with_experts->empty()) return layers - static_cast<double>(with_experts->size());
  if (const auto every = config.find({"interleave_moe_layer_step"}); every && *every >= 1.0)
    return layers - std::floor(layers / *every);
  return config.find({"first_k_dense_replace", "moe_layer_start_index"}).value_or(0.0);
}

void add_experts(ConfigReader& config, const ModelFamily& family, const Node* with_experts, double layers) {
  const double count =
      config.find({"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}).value_or(0.0);
  if (count == 0.0) return;
  const double width = config.find({"moe_intermediate_size"}).value_or(config.number({"intermediate_size"}));
  config.add("experts", count);
  config.add("experts_per_token", config.number({"num_experts_per_tok", "experts_per_token", "moe_k"}));
  config.add("expert_ffn_hidden", width);
  const double usual = family.shares_expert ? 1.0 : 0.0;
  const double shared = config.find({"n_shared_experts", "moe_num_shared_experts"}).value_or(usual) * width;
  config.add("shared_ffn_hidden",
             config.find({"shared_expert_intermediate_size", "shared_intermediate_size"}).value_or(shared));
  config.add("dense_layers", dense_layers(config, with_experts == nullptr ? nullptr : with_experts->array(), layers));
  if (family.has_biases) config.add("expert_biases", 1.0);
}

}  // namespace

std::string huggingface_name(const Document& document) {
  const Node* path = document.find("_name_or_path");
  if (path == nullptr || path->text() == nullptr) return "";
  const std::string& text = *path->text();
  return entry_name(std::string_view(text).substr(text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1));
}

const Document& text_part(const Document& document) {
  const Node* part = document.find("text_config");
  return part != nullptr && part->table() != nullptr ? *part->table() : document;
}

std::optional<double> huggingface_positions(const Document& document) {
  for (const std::string_view name : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"})
    if (const Node* node = document.find(name)) return number_in(*node);
  return std::nullopt;
}

std::string huggingface_entry(const Document& document, const std::string& name, const std::string& shown) {
  ConfigReader config(document, shown);
  const std::string type = config.type();
  const ModelFamily& family = family_of(type, config);
  const double hidden = config.number({"hidden_size", "n_embd", "d_model"});
  const double heads = config.number({"num_attention_heads", "n_head", "n_heads"});
  config.add("hidden", hidden);
  add_attention(config, hidden, heads);
  const std::optional<double> width =
      config.find({"intermediate_size_mlp", "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"});
  if (!width && family.has_gate)
    config.complain("'intermediate_size' is missing", "a gated network has no usual width");
  config.add("ffn_hidden", width.value_or(4.0 * hidden));
  config.add("gated_ffn", family.has_gate ? 1.0 : 0.0);
  const double layers = config.number({"num_hidden_layers", "n_layer", "n_layers"});
  config.add("layers", layers);
  const bool shares_norm =
      config.boolean_or("use_parallel_residual", config.boolean_or("parallel_attn", family.shares_norm));
  config.add("post_attention_norm", shares_norm ? 0.0 : 1.0);
  if (const auto later = config.find({"num_nextn_predict_layers"}); later && *later > 0.0)
    config.add("prediction_layers", *later);
  config.add("vocabulary", config.number({"vocab_size"}));
  config.add("tied_embeddings", config.boolean_or("tie_word_embeddings", family.ties_embeddings) ? 1.0 : 0.0);
  add_window(config, family, document.find("layer_types"), layers);
  add_experts(config, family, document.find("moe_layers"), layers);
  return fmt::format("name = {}\ndescription = {}\nkind = \"transformer\"\n\n", toml_quoted(name),
                     toml_quoted(fmt::format("imported from {}, model type {}", shown, type))) +
         config.take();
}

}  // namespace dfsweep::foreign
