/// The launch of explain for training: the point with its defaults as flags of a trainer of the catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/commands/explain_parts.hpp"
#include "engine/foreign/training_launch.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

/// Parameters of an execution that flags can say; others come back from a launch only where the point gives them.
constexpr std::string_view execution_parameters[] = {"device_count",
                                                     "tensor_parallel",
                                                     "pipeline_parallel",
                                                     "data_parallel",
                                                     "context_parallel",
                                                     "expert_parallel",
                                                     "global_batch",
                                                     "micro_batch",
                                                     "sequence_length",
                                                     "precision",
                                                     "recompute",
                                                     "recomputed_layers",
                                                     "interleaving",
                                                     "schedule",
                                                     "optimizer_sharding",
                                                     "sharding_group",
                                                     "sequence_parallel",
                                                     "tensor_overlap",
                                                     "context_exchange",
                                                     "attention_kernel",
                                                     "attention_8bit",
                                                     "optimizer_offload",
                                                     "activation_offload",
                                                     "capacity_factor",
                                                     "stage_split",
                                                     "expert_tensor_parallel",
                                                     "train_tokens",
                                                     "learning_rate",
                                                     "phase",
                                                     "task"};

/// The value of a parameter that other values decide where it is not given ("the model's sequence_length").
constexpr std::string_view decided_by_others = "";

/// A point with the defaults of its estimator, the sizes of its model and those of its node.
class PointValues {
 public:
  PointValues(const SweepSpec& spec, const std::vector<std::uint32_t>& codes) : spec_(spec), codes_(codes) {}

  [[nodiscard]] std::optional<std::string> given(std::string_view name) const {
    const ParameterValue* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->text.empty()) return value->text;
    return is_given(value->number) ? std::optional(shortest(value->number)) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> operator()(std::string_view name) const {
    if (name.starts_with("model.")) return number_of_entry("model", name.substr(6));
    if (name == "node_devices" && !given(name)) return number_of_entry("system", name).value_or("8");
    if (std::optional<std::string> value = given(name)) return value;
    if (name == "sequence_length") return number_of_entry("model", name);
    if (name == "data_parallel") return replicas();
    if (name == "global_batch") return batch();
    if (name == "stage_split") return split();
    const std::string text(fallback(name));
    return text.empty() ? std::nullopt : std::optional(text);
  }

  /// The fields of the model that make it another one than a plain transformer: those that are not 0.
  [[nodiscard]] foreign::LaunchValues model() const {
    constexpr std::string_view of_the_execution[] = {"sequence_length", "global_batch", "word_bytes"};
    foreign::LaunchValues fields;
    const ParameterValue* value = find("model");
    if (value == nullptr || value->entry == nullptr) return fields;
    for (const auto& [name, number] : value->entry->numbers) {
      const bool is_usual = number == (name == "post_attention_norm" ? 1.0 : 0.0);
      if (!is_usual && std::ranges::find(of_the_execution, name) == std::end(of_the_execution))
        fields.emplace(name, shortest(number));
    }
    return fields;
  }

  /// The default as text where it is a number or a word; else empty.
  [[nodiscard]] std::string_view fallback(std::string_view name) const {
    const auto place = place_of_name(spec_.estimator->parameters(), name);
    if (!place) return decided_by_others;
    const std::string_view text = spec_.estimator->parameters()[*place].fallback;
    return text.find(' ') == std::string_view::npos ? text : decided_by_others;
  }

 private:
  [[nodiscard]] const ParameterValue* find(std::string_view name) const {
    const auto place = place_of_name(spec_.estimator->parameters(), name);
    if (!place) return nullptr;
    const SweepValues::Parameter& parameter = spec_.values.parameters[*place];
    return &parameter.values[parameter.column == SweepValues::fixed ? 0 : codes_[parameter.column]];
  }

  [[nodiscard]] std::optional<std::string> number_of_entry(std::string_view parameter, std::string_view field) const {
    const ParameterValue* value = find(parameter);
    if (value == nullptr || value->entry == nullptr) return std::nullopt;
    if (value->entry->has_number(field)) return shortest(value->entry->number_or(field, 0.0));
    if (field == "ffn_hidden") return shortest(4 * value->entry->number_or("hidden", 0.0));  // as architecture_of()
    return std::nullopt;
  }

  [[nodiscard]] double number_or(std::string_view name, double otherwise) const {
    const std::optional<std::string> text = (*this)(name);
    double value = otherwise;
    if (text) std::from_chars(text->data(), text->data() + text->size(), value);
    return value;
  }

  [[nodiscard]] std::string replicas() const {
    return shortest(std::floor(number_or("device_count", 1.0) / number_or("tensor_parallel", 1.0) /
                               number_or("pipeline_parallel", 1.0) / number_or("context_parallel", 1.0)));
  }
  /// The largest multiple of the replicas up to max_batch.
  [[nodiscard]] std::optional<std::string> batch() const {
    std::optional<std::string> most = given("max_batch");
    if (!most) most = number_of_entry("model", "global_batch");
    if (!most) return std::nullopt;
    const double replicas_count = number_or("data_parallel", 1.0);
    return shortest(std::floor(std::stod(*most) / replicas_count) * replicas_count);
  }
  [[nodiscard]] std::string split() const {
    return std::fmod(number_or("model.layers", 1.0), number_or("pipeline_parallel", 1.0)) == 0 ? "even" : "balanced";
  }

  const SweepSpec& spec_;
  const std::vector<std::uint32_t>& codes_;
};

/// Whether `number` is the quantity that the parameter has by default, "0.08 USD/kWh": a launch need not repeat it.
bool is_default_quantity(const ParameterInfo& info, const std::string& number) {
  const auto parsed = parse_quantity(info.fallback);
  const auto* quantity = std::get_if<QuantityText>(&parsed);
  return quantity != nullptr && quantity->has_unit && shortest(quantity->value) == number;
}

/// What the launch has to say: the execution, and whatever else the point gives.
std::vector<foreign::ExecutionValue> execution_of(const SweepSpec& spec, const PointValues& point) {
  std::vector<foreign::ExecutionValue> execution;
  for (const ParameterInfo& info : spec.estimator->parameters()) {
    const bool is_execution = std::find(std::begin(execution_parameters), std::end(execution_parameters), info.name) !=
                              std::end(execution_parameters);
    if (std::optional<std::string> value = point.given(info.name)) {
      if (!is_execution && is_default_quantity(info, *value)) continue;
      if (info.unit != "1") *value += fmt::format(" {}", info.unit);
      execution.push_back({std::string(info.name), *value, std::string(point.fallback(info.name))});
    } else if (const std::optional<std::string> usual = is_execution ? point(info.name) : std::nullopt) {
      execution.push_back({std::string(info.name), *usual, *usual});  // a launch that is silent leaves the default
    }
  }
  return execution;
}

Json launch_json(const foreign::TrainingLaunch& launch, const std::string& trainer) {
  JsonObject rest;
  for (const auto& [parameter, value] : launch.rest) rest.emplace_back(parameter, value);
  return JsonObject{{"trainer", trainer},
                    {"program", launch.program},
                    {"flags", JsonArray(launch.flags.begin(), launch.flags.end())},
                    {"rest", std::move(rest)},
                    {"lacks", JsonArray(launch.lacks.begin(), launch.lacks.end())}};
}

}  // namespace

std::string training_launch_answer(const SweepSpec& spec, const std::vector<std::uint32_t>& codes, const Entry& trainer,
                                   OutputForm form) {
  const PointValues point(spec, codes);
  foreign::TrainingLaunch launch =
      foreign::launch_of_execution(trainer, point, execution_of(spec, point), point.model());
  const bool names_software = place_of_name(spec.estimator->parameters(), "software").has_value();
  if (names_software && !point.given("software"))
    launch.lacks.emplace_back("The point names no software, so it was not checked whether a stack can start it.");
  return form == OutputForm::json ? to_text(launch_json(launch, trainer.name)) : foreign::launch_text(launch);
}

}  // namespace dfsweep
