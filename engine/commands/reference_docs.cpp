/// From tables of an estimator to text.
#include "engine/commands/reference_docs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/sweep/value_reader.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

std::string joined(std::span<const std::string_view> texts, std::string_view separator) {
  std::string text;
  for (const std::string_view one : texts) text += fmt::format("{}{}", text.empty() ? "" : separator, one);
  return text;
}

/// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string parameter_rows(const Estimator& estimator) {
  std::string text = "| parameter | unit | values | default | meaning |\n|---|---|---|---|---|\n";
  for (const ParameterInfo& info : estimator.parameters())
    text += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", info.name, info.unit, cell(legal_values(info)),
                        cell(default_text(info)), cell(info.meaning),
                        info.overrides.empty() ? "" : fmt::format("; replaces `{}`", info.overrides));
  return text;
}

std::string metric_rows(const Estimator& estimator) {
  std::string text = "| metric | unit | better | also with status | meaning |\n|---|---|---|---|---|\n";
  for (const MetricInfo& info : estimator.metrics()) {
    std::string meaning(info.meaning);
    if (info.type == MetricType::flags) meaning += ": " + joined(info.flags, ", ");
    if (info.may_not_apply) meaning += "; NaN where it does not apply";
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", info.name, info.unit, better_text(info.better),
                        valid_statuses_text(info, estimator), cell(meaning));
  }
  return text;
}

}  // namespace

std::string legal_values(const ParameterInfo& parameter) {
  std::string text;
  switch (parameter.kind) {
    case ParameterKind::integer:
      text = "whole number, " + range_text(parameter);
      break;
    case ParameterKind::real:
      text = "number, " + range_text(parameter);
      break;
    case ParameterKind::choice:
      text = joined(parameter.choices, ", ");
      break;
    case ParameterKind::entry:
      text = fmt::format("entry of {}, or a .toml or .json file", parameter.catalogue);
      break;
    case ParameterKind::choice_or_entry:
      text = joined(parameter.choices, ", ") + ", or a .toml or .json file";
      break;
    case ParameterKind::text:
      text = "text";
      break;
  }
  return parameter.accepts_best ? text + ", or \"best\"" : text;
}

std::string default_text(const ParameterInfo& parameter) {
  if (parameter.absence == Absence::required) return "required";
  return std::string(parameter.fallback);
}

std::string_view better_text(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "";
}

std::string valid_statuses_text(const MetricInfo& metric, const Estimator& estimator) {
  std::string text;
  const auto statuses = estimator.statuses();
  for (std::size_t s = 1; s < statuses.size(); ++s)
    if ((metric.valid_statuses >> s & 1U) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", statuses[s].name);
  return text;
}

namespace {

std::string calibration_rows(const Estimator& estimator) {
  if (estimator.calibration().empty()) return "";
  std::string text =
      "\n## Numbers that measurements may correct\n\nFields of entries; the spread is the standard deviation of the "
      "logarithm "
      "before anything is measured. Measured times correct numbers about time, measured memory those about memory; "
      "nearly all "
      "runs follow the leading ones. [calibrate](../calibrate.md)\n\n| number | of | about | leading | usual | unit | "
      "spread | "
      "at most | corrected for | meaning |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const CalibrationInfo& info : estimator.calibration())
    text += fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} % | {} | {} | {} |\n", info.field, info.belongs_to,
        name_of(info.resource), info.reach == Reach::leading ? "yes" : "", short_number(info.usual), info.unit,
        short_number(100 * info.spread), std::isfinite(info.highest) ? short_number(info.highest) : "",
        info.shared_by == SharedBy::all ? "all" : "each " + std::string(info.parameter), cell(info.meaning));
  return text;
}

JsonArray calibration_json(const Estimator& estimator) {
  JsonArray all;
  for (const CalibrationInfo& info : estimator.calibration())
    all.emplace_back(JsonObject{{"field", info.field},
                                {"parameter", info.parameter},
                                {"unit", info.unit},
                                {"usual", info.usual},
                                {"spread", info.spread},
                                {"highest", std::isfinite(info.highest) ? Json(info.highest) : Json(nullptr)},
                                {"belongs_to", info.belongs_to},
                                {"about", name_of(info.resource)},
                                {"leading", info.reach == Reach::leading},
                                {"meaning", info.meaning}});
  return all;
}

}  // namespace

std::string reference_page(const Estimator& estimator) {
  std::string text = fmt::format("# Estimator `{}`: parameters, metrics, statuses\n\n", estimator.name());
  text += fmt::format("{}. Version {}. Written by `dfsweep describe {} --markdown`; do not edit.\n\n",
                      estimator.meaning(), estimator.version(), estimator.name());
  text += "## Parameters\n\n" + parameter_rows(estimator) + "\n## Metrics\n\n" + metric_rows(estimator);
  text += "\n## Statuses\n\n| code | status | meaning |\n|---|---|---|\n";
  const auto statuses = estimator.statuses();
  for (std::size_t s = 0; s < statuses.size(); ++s)
    text += fmt::format("| {} | `{}` | {} |\n", s, statuses[s].name, cell(statuses[s].meaning));
  if (!estimator.data().empty()) text += "\n## Data\n\n| name | needed | meaning |\n|---|---|---|\n";
  for (const DataInfo& data : estimator.data())
    text += fmt::format("| `{}` | {} | {} |\n", data.name, data.required ? "always" : "optional", cell(data.meaning));
  return text + calibration_rows(estimator);
}

Json estimator_json(const Estimator& estimator) {
  JsonArray parameters;
  for (const ParameterInfo& info : estimator.parameters())
    parameters.emplace_back(
        JsonObject{{"name", info.name},
                   {"unit", info.unit},
                   {"values", legal_values(info)},
                   {"default", info.absence == Absence::required ? Json(nullptr) : Json(info.fallback)},
                   {"required", info.absence == Absence::required},
                   {"overrides", info.overrides.empty() ? Json(nullptr) : Json(info.overrides)},
                   {"meaning", info.meaning}});
  JsonArray metrics;
  for (const MetricInfo& info : estimator.metrics())
    metrics.emplace_back(
        JsonObject{{"name", info.name},
                   {"unit", info.unit},
                   {"better", info.better == Better::neither ? Json(nullptr) : Json(better_text(info.better))},
                   {"meaning", info.meaning}});
  JsonArray statuses;
  for (const StatusInfo& info : estimator.statuses())
    statuses.emplace_back(JsonObject{{"name", info.name}, {"meaning", info.meaning}});
  JsonArray data;
  for (const DataInfo& info : estimator.data())
    data.emplace_back(JsonObject{{"name", info.name}, {"required", info.required}, {"meaning", info.meaning}});
  return JsonObject{{"name", estimator.name()},       {"meaning", estimator.meaning()},
                    {"version", estimator.version()}, {"parameters", std::move(parameters)},
                    {"metrics", std::move(metrics)},  {"statuses", std::move(statuses)},
                    {"data", std::move(data)},        {"calibration", calibration_json(estimator)}};
}

}  // namespace dfsweep
