/// From tables of an estimator to text.
#include "engine/commands/reference_docs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/sweep/value_reader.hpp"
#include "engine/tables/rendering.hpp"
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

/// "whole number, 1 to 65536", "entry of devices, or a .toml or .json file": what a sweep file may give.
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

/// "required", or what holds where a sweep does not give the parameter.
std::string default_text(const ParameterInfo& parameter) {
  if (parameter.absence == Absence::required) return "required";
  return std::string(parameter.fallback);
}

std::string_view better_text(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "";
}

/// Statuses other than ok where the metric is a number too, by name; "" if none.
std::string valid_statuses_text(const MetricInfo& metric, const Estimator& estimator) {
  std::string text;
  const auto statuses = estimator.statuses();
  for (std::size_t s = 1; s < statuses.size(); ++s)
    if ((metric.valid_statuses >> s & 1U) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", statuses[s].name);
  return text;
}

std::string highest_text(const CalibrationInfo& info) {
  return std::isfinite(info.highest) ? short_number(info.highest) : "";
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
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} % | {} | {} | {} |\n", info.field, info.belongs_to,
                        name_of(info.resource), info.reach == Reach::leading ? "yes" : "", short_number(info.usual),
                        info.unit, short_number(100 * info.spread), highest_text(info),
                        info.shared_by == SharedBy::all ? "all" : "each " + std::string(info.parameter),
                        cell(info.meaning));
  return text;
}

}  // namespace

ColumnLook name_look(std::string heading, int weight) {
  return {.heading = std::move(heading), .weight = weight, .align = Align::left};
}

ColumnLook text_look(std::string heading, int weight) {
  constexpr std::size_t narrowest_description = 12;
  return {.heading = std::move(heading), .weight = weight, .narrowest = narrowest_description};
}

DataTable parameters_table(std::span<const ParameterInfo> parameters) {
  const auto is_required = [](const ParameterInfo& info) { return info.absence == Absence::required; };
  TableOf<ParameterInfo> table({parameters.begin(), parameters.end()});
  table.add({"name"}, &ParameterInfo::name, name_look("parameter", 5))
      .add({"unit"}, &ParameterInfo::unit, name_look("unit", 2))
      .add({"values"}, legal_values, text_look("values", 3))
      .show(text_look("default", 1), default_text)
      .add({"default"},
           [&](const ParameterInfo& info) {
             return is_required(info) ? DataCell(NAN) : DataCell(std::string(info.fallback));
           })
      .add({"required"}, is_required)
      .add({"overrides"}, along(&ParameterInfo::overrides, text_or_null))
      .add({"meaning"}, &ParameterInfo::meaning)
      .show(text_look("meaning", 4), [](const ParameterInfo& info) {
        return std::string(info.meaning) + (info.overrides.empty() ? "" : fmt::format("; replaces {}", info.overrides));
      });
  return table.take();
}

DataTable metrics_table(const Estimator& estimator, std::span<const MetricInfo> metrics) {
  TableOf<MetricInfo> table({metrics.begin(), metrics.end()});
  const auto differs = [&](const MetricInfo& info) { return info.valid_statuses != metrics.front().valid_statuses; };
  table.add({"name"}, &MetricInfo::name, name_look("metric", 5))
      .add({"unit"}, &MetricInfo::unit, name_look("unit", 3))
      .show(name_look("better", 2), along(&MetricInfo::better, better_text))
      .add({"better"}, along(&MetricInfo::better, better_text, text_or_null));
  if (std::any_of(metrics.begin(), metrics.end(), differs))
    table.show(text_look("also with", 1), [&](const MetricInfo& info) { return valid_statuses_text(info, estimator); });
  table.add({"meaning"}, &MetricInfo::meaning, text_look("meaning", 4));
  return table.take();
}

std::string shared_statuses_note(const Estimator& estimator, std::span<const MetricInfo> metrics) {
  const auto differs = [&](const MetricInfo& info) { return info.valid_statuses != metrics.front().valid_statuses; };
  if (metrics.empty() || std::any_of(metrics.begin(), metrics.end(), differs)) return {};
  const std::string statuses = valid_statuses_text(metrics.front(), estimator);
  return statuses.empty() ? statuses : fmt::format("with values also where the status is {}", statuses);
}

DataTable statuses_table(std::span<const StatusInfo> statuses) {
  TableOf<StatusInfo> table({statuses.begin(), statuses.end()});
  table.add({"name"}, &StatusInfo::name, name_look("status", 2))
      .add({"meaning"}, &StatusInfo::meaning, text_look("meaning", 1));
  return table.take();
}

DataTable calibration_table(const Estimator& estimator) {
  TableOf<CalibrationInfo> table({estimator.calibration().begin(), estimator.calibration().end()});
  table.add({"field"}, &CalibrationInfo::field, name_look("number", 5))
      .add({"parameter"}, &CalibrationInfo::parameter)
      .add({"unit"}, &CalibrationInfo::unit, name_look("unit", 2))
      .add({"usual"}, &CalibrationInfo::usual)
      .show(name_look("usual", 2), along(&CalibrationInfo::usual, short_number))
      .add({"spread"}, &CalibrationInfo::spread)
      .show(name_look("spread", 2), [](const CalibrationInfo& info) { return short_number(100 * info.spread) + " %"; })
      .add({"highest"}, &CalibrationInfo::highest)
      .show(name_look("at most", 2), highest_text)
      .show(name_look("about", 2), [](const CalibrationInfo& info) { return name_of(info.resource); })
      .add({"belongs_to"}, &CalibrationInfo::belongs_to, name_look("belongs to", 2))
      .add({"about"}, [](const CalibrationInfo& info) { return name_of(info.resource); })
      .add({"leading"}, [](const CalibrationInfo& info) { return info.reach == Reach::leading; })
      .add({"meaning"}, &CalibrationInfo::meaning, text_look("meaning", 1));
  return table.take();
}

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
  TableOf<DataInfo> data({estimator.data().begin(), estimator.data().end()});
  data.add({"name"}, &DataInfo::name).add({"required"}, &DataInfo::required).add({"meaning"}, &DataInfo::meaning);
  return JsonObject{{"name", estimator.name()},
                    {"meaning", estimator.meaning()},
                    {"version", estimator.version()},
                    {"parameters", rows_json(parameters_table(estimator.parameters()))},
                    {"metrics", rows_json(metrics_table(estimator, estimator.metrics()))},
                    {"statuses", rows_json(statuses_table(estimator.statuses()))},
                    {"data", rows_json(data.take())},
                    {"calibration", rows_json(calibration_table(estimator))}};
}

}  // namespace dfsweep
