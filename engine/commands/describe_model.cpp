/// Describes the sizes of a transformer: parameters, layers, bytes of the cache and FLOP of a token.
#include <fmt/format.h>

#include "engine/catalogue/catalogue.hpp"
#include "engine/commands/describe_parts.hpp"
#include "engine/commands/reference_docs.hpp"
#include "engine/console/usage_error.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/short_number.hpp"
#include "models/transformer/model_flop.hpp"
#include "models/transformer/served.hpp"

namespace dfsweep {
namespace {

constexpr std::string_view model_kind = "models";
constexpr double half_bytes = 2.0;

/// A size of a model, with its unit and what it counts.
struct ModelSize {
  const char* name;
  double value;
  const char* unit;
  std::string meaning;
};

std::vector<ModelSize> sizes_of(const TransformerEntry& entry, const Architecture& model) {
  const Served counts = served(model);
  std::vector<ModelSize> sizes{
      {"parameters", total_parameters(model), "1", "all weights of matrices; norms are not counted"},
      {"active_parameters", active_parameters(model), "1",
       "weights that multiply a token: the experts that it visits, without the embedding table"},
      {"embedding_parameters", embedding_parameters(model), "1", "embedding and output layer"},
      {"layers", all_layers(model), "1",
       model.prediction_layers > 0 ? "with those that predict later tokens" : "of attention and feed-forward network"},
      {"expert_layers", expert_layers(model), "1", "layers with routed experts"},
      {"weight_bytes", half_bytes * total_parameters(model), "byte", "of all weights in 16 bits"},
      {"cache_bytes_per_token", half_bytes * counts.cache_numbers, "byte", "keys and values of all layers in 16 bits"},
  };
  if (!is_given(entry.sequence_length)) return sizes;
  const double length = entry.sequence_length;
  const std::string context = fmt::format("at {} tokens, causal attention", length);
  sizes.push_back({"forward_flop_per_token", forward_flop_per_token(model, length, AttentionCount::causal).value(),
                   "FLOP", "forward pass " + context});
  sizes.push_back({"training_flop_per_token", training_flop_per_token(model, length, AttentionCount::causal).value(),
                   "FLOP", "forward and backward pass " + context});
  return sizes;
}

/// Throws UserError with the problems of an entry that does not have all sizes of a transformer.
std::vector<ModelSize> sizes_of(const EntryFile& file) {
  if (!file.problems.empty()) throw UserError(file.problems);
  const Decoded<TransformerEntry> entry = decode_transformer(file.entry);
  const Decoded<Architecture> model = decode_architecture(file.entry);
  std::vector<Problem> problems;
  for (const EntryProblem& problem : model.problems)
    problems.push_back({file.places.at(problem.fields.empty() ? std::string() : problem.fields.front()),
                        problem.problem, problem.reason.empty() ? "required for the size of the model" : problem.reason,
                        ""});
  if (!problems.empty()) throw UserError(std::move(problems));
  return sizes_of(entry.value, model.value);
}

/// "8.030 G" for parameters, "32" for layers, "131.1 kB" for bytes.
std::string size_text(const ModelSize& size) {
  constexpr double million = 1e6;
  const bool is_large_count = std::string_view(size.unit) == "1" && size.value >= million;
  return is_large_count ? amount_text(size.value, "") : with_unit(size.value, size.unit);
}

}  // namespace

EntryFile model_file(const Catalogue& catalogue, const std::string& name) {
  if (is_entry_file(name)) return read_entry_file(name, name, model_kind, Sources::optional);
  if (catalogue.contains(model_kind, name)) return catalogue.load(model_kind, name);
  throw UsageError(fmt::format("the catalogue has no model '{}'. {}", printable(name),
                               did_you_mean(name, catalogue.names(model_kind),
                                            "'dfsweep describe catalogue models' lists them; a path ends in .toml or "
                                            ".json.")));
}

std::string sizes_text(const EntryFile& model, const Terminal& terminal) {
  TableOf<ModelSize> table(sizes_of(model));
  table.show(name_look("size", 3), [](const ModelSize& size) { return size.name; })
      .show(name_look("value", 3), size_text)
      .show(text_look("meaning", 1), [](const ModelSize& size) { return size.meaning; });
  return table_text(table.take(), terminal);
}

Json sizes_json(const EntryFile& model) {
  JsonObject members{{"name", model.entry.name}};
  for (const ModelSize& size : sizes_of(model)) members.emplace_back(size.name, size.value);
  return members;
}

}  // namespace dfsweep
