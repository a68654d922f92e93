/// The launch of explain: how the servers of a point of `serving` are started with an engine of the catalogue, and a
/// point of `training` with a program that trains.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/catalogue/catalogue.hpp"
#include "engine/commands/explain_parts.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/foreign/launch_command.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/machine/number_format.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view kind_of_engines = "engines";
constexpr std::string_view kind_of_trainers = "trainers";
constexpr std::string_view served_by = "serving";
constexpr std::string_view trained_by[] = {"training", "calculon"};

/// The kind of what starts points of the estimator. Throws UsageError where nothing does.
std::string kind_for(const Estimator& estimator) {
  if (estimator.name() == served_by) return std::string(kind_of_engines);
  if (std::find(std::begin(trained_by), std::end(trained_by), estimator.name()) != std::end(trained_by))
    return std::string(kind_of_trainers);
  throw UsageError(
      fmt::format("--launch: engines serve points of serving, and trainers train those of training and "
                  "calculon, not of {}.",
                  estimator.name()));
}

/// Throws UsageError if the catalogue has no such entry.
EntryFile entry_of(const std::string& kind, const std::string& name, const Catalogue& catalogue) {
  const std::vector<std::string> names = catalogue.names(kind);
  if (!catalogue.contains(kind, name))
    throw UsageError(fmt::format("--launch: no {} is called '{}'. {}", kind == kind_of_engines ? "engine" : "trainer",
                                 name, did_you_mean(name, names, "There are: " + listed(names) + ".")));
  EntryFile file = catalogue.load(kind, name);
  if (!file.problems.empty()) throw UserError(file.problems);
  return file;
}

foreign::ParameterText values_of(const SweepSpec& spec, const std::vector<std::uint32_t>& codes) {
  return [&spec, &codes](std::string_view name) -> std::optional<std::string> {
    const auto place = place_of_name(spec.estimator->parameters(), name);
    if (!place) return std::nullopt;
    const SweepValues::Parameter& parameter = spec.values.parameters[*place];
    const std::size_t code = parameter.column == SweepValues::fixed ? 0 : codes[parameter.column];
    const ParameterValue& value = parameter.values[code];
    if (!value.text.empty()) return value.text;
    if (is_given(value.number)) return shortest(value.number);
    return std::nullopt;
  };
}

/// Adds the format of the cache, which a point need not give: with `prefill_` or `decode_` that of a pool.
foreign::ParameterText with_cache_format(const SweepSpec& spec, foreign::ParameterText given) {
  const auto place = place_of_name(spec.estimator->parameters(), "precision");
  const std::string usual(place ? spec.estimator->parameters()[*place].fallback : "");
  return [usual, given = std::move(given)](std::string_view name) -> std::optional<std::string> {
    constexpr std::string_view cache = "cache_precision";
    if (!name.ends_with(cache)) return given(name);
    if (std::optional<std::string> common = given(cache)) return common;
    const std::string pool(name.substr(0, name.size() - cache.size()));
    std::optional<std::string> products = given(pool + "precision");
    if (!products) products = given("precision");
    const auto format = std::ranges::find(number_format_names, products.value_or(usual));
    if (format == number_format_names.end()) return std::nullopt;
    const auto index = static_cast<NumberFormat>(format - number_format_names.begin());
    return std::string(number_format_names[static_cast<std::size_t>(usual_cache_format(index))]);
  };
}

double number_or_one(const foreign::ParameterText& value_of, std::string_view name) {
  const std::optional<std::string> text = value_of(name);
  return text ? std::stod(*text) : 1.0;
}

/// Servers of each pool: those given, or the devices over those of a server.
std::string replicas_text(const foreign::ParameterText& value_of) {
  if (value_of("pools").value_or("shared") == "separate")
    return fmt::format("{} servers of prompts and {} of answers", number_or_one(value_of, "prefill_replicas"),
                       number_or_one(value_of, "decode_replicas"));
  const double of_server = number_or_one(value_of, "tensor_parallel") * number_or_one(value_of, "pipeline_parallel") *
                           number_or_one(value_of, "attention_data_parallel");
  double replicas = number_or_one(value_of, "replicas");
  if (!value_of("replicas") && value_of("device_count"))
    replicas = std::floor(number_or_one(value_of, "device_count") / of_server);
  return replicas > 1.0 ? fmt::format("{} servers, each with its share of the requests", replicas) : "one server";
}

std::string remarks_text(const foreign::ParameterText& value_of, const std::string& engine) {
  const auto text = [&](std::string_view name) { return value_of(name).value_or("the default"); };
  const std::string weights = value_of("weight_precision").value_or(text("precision"));
  std::string remarks = fmt::format("# {}. MODEL: a checkpoint of {} with weights in {}", replicas_text(value_of),
                                    text("model"), weights);
  if (value_of("speculation").value_or("none") != "none")
    remarks += fmt::format("; DRAFT_MODEL: one of {}", text("draft_model"));
  remarks += "\n";
  if (const auto evaluated = value_of("engine"); evaluated && *evaluated != engine)
    remarks += fmt::format("# The point is evaluated with the rules of {}.\n", *evaluated);
  return remarks;
}

Json server_json(const foreign::LaunchCommand& server) {
  return JsonObject{{"pool", server.pool.empty() ? Json() : Json(server.pool)},
                    {"words", JsonArray(server.words.begin(), server.words.end())},
                    {"config", server.config.empty() ? Json() : Json(server.config)}};
}

}  // namespace

std::string launch_answer(const SweepSpec& spec, const std::vector<std::uint32_t>& codes, const std::string& engine,
                          const Catalogue& catalogue, OutputForm form) {
  const std::string kind = kind_for(*spec.estimator);
  const EntryFile file = entry_of(kind, engine, catalogue);
  if (kind == kind_of_trainers) return training_launch_answer(spec, codes, file.entry, form);
  const foreign::ParameterText value_of = values_of(spec, codes);
  const foreign::Launch launch = foreign::launch_of(file.entry, with_cache_format(spec, value_of));
  if (form != OutputForm::json) return remarks_text(value_of, engine) + foreign::launch_text(launch, engine);
  JsonArray servers;
  for (const foreign::LaunchCommand& server : launch.servers) servers.push_back(server_json(server));
  return to_text(JsonObject{{"engine", engine},
                            {"servers", std::move(servers)},
                            {"router", launch.router.empty() ? Json() : Json(launch.router)},
                            {"lacks", JsonArray(launch.lacks.begin(), launch.lacks.end())}});
}

}  // namespace dfsweep
