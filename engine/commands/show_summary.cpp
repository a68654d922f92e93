/// The summary of `show`, and the list of columns.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/commands/show_output.hpp"
#include "engine/merging/merged_sources.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/tables/rendering.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t listed_values = 12;
constexpr std::size_t listed_metrics = 32;
constexpr std::size_t narrowest_text = 20;

std::string values_text(const AxisValues& axis) {
  std::vector<std::string> texts;
  for (const double value : axis.values) {
    const auto code = static_cast<std::size_t>(std::max(value, 0.0));
    texts.push_back(axis.names.empty() ? input_with_unit(value, axis.column->units) : printable(axis.names[code]));
  }
  return listed(texts, listed_values);
}

std::string count_text(std::size_t count) {
  return count > counted_axis_values ? fmt::format("over {}", counted_axis_values) : fmt::format("{}", count);
}

std::string axes_text(const ResultSummary& summary, const Terminal& terminal) {
  if (summary.axes.empty()) return "  no axes: one point\n";
  TableOf<AxisValues> table(summary.axes);
  table.show({"axis", 2}, along(&AxisValues::column, &DatasetColumn::name))
      .show({.heading = "values", .weight = 1, .align = Align::right},
            [](const AxisValues& axis) { return count_text(axis.values.size()); })
      .show({.heading = "", .narrowest = narrowest_text}, values_text);
  return render_table(text_columns(table.take()), terminal, 2).text;
}

/// `heading` names what is counted: "rows", "points searched".
std::string status_text(const std::vector<StatusCount>& statuses, std::string heading, const Terminal& terminal) {
  std::uint64_t all = 0;
  for (const StatusCount& status : statuses) all += status.rows;
  const NumberText share = [all](double rows) {
    return fmt::format("{:.1f} %", 100.0 * rows / static_cast<double>(all));
  };
  TableOf<StatusCount> table(statuses);
  table.show({"status"}, &StatusCount::name)
      .show({std::move(heading)}, &StatusCount::rows)
      .show({"share", 0, share}, [](const StatusCount& status) { return static_cast<double>(status.rows); });
  return render_table(text_columns(table.take()), terminal, 2).text;
}

std::string direction_or_blank(const DatasetColumn& column) {
  const Better better = better_of(column);
  return better == Better::neither ? "" : std::string(direction_name(better));
}

DataTable metrics_table(const DatasetReader& file, const std::vector<MetricRange>& metrics) {
  const auto of = [](auto... members) { return along(&MetricRange::column, members...); };
  const auto quantity = [&file](double MetricRange::*end) {
    return [&file, end](const MetricRange& range) {
      const bool is_named = !value_names(file, *range.column).empty();
      return is_named ? std::string() : with_unit(range.*end, range.column->units);
    };
  };
  TableOf<MetricRange> table(metrics);
  table.add({"name"}, of(&DatasetColumn::name), {"metric", 4})
      .add({"units"}, of(&DatasetColumn::units))
      .add({"better"}, of([](const DatasetColumn* column) { return direction_name(better_of(*column)); }))
      .add({"least"}, &MetricRange::least)
      .add({"most"}, &MetricRange::most)
      .add({"rows"}, &MetricRange::with_value)
      .show({.heading = "least", .weight = 3, .align = Align::right}, quantity(&MetricRange::least))
      .show({.heading = "most", .weight = 3, .align = Align::right}, quantity(&MetricRange::most))
      .show({"better", 2}, [](const MetricRange& range) { return direction_or_blank(*range.column); })
      .show({.heading = "meaning", .weight = 1, .narrowest = narrowest_text}, of(&DatasetColumn::long_name));
  return table.take();
}

std::string metrics_text(const DatasetReader& file, const ResultSummary& summary, const Terminal& terminal) {
  std::vector<MetricRange> known = summary.metrics;
  std::erase_if(known, [](const MetricRange& range) { return range.with_value == 0; });
  std::string text = render_table(text_columns(metrics_table(file, known), listed_metrics), terminal, 2).text;
  if (listed_metrics < known.size())
    text += fmt::format("  and {} more metrics (--columns lists them)\n", known.size() - listed_metrics);
  std::vector<std::string> unknown;
  for (const MetricRange& range : summary.metrics)
    if (range.with_value == 0) unknown.push_back(range.column->name);
  if (!unknown.empty()) text += wrapped("  without a value here: " + listed(unknown, unknown.size()), terminal, 4);
  return text;
}

DataTable columns_table(const DatasetReader& file) {
  TableOf<DatasetColumn> table(file.columns());
  table.add({"name"}, &DatasetColumn::name, {"column", 3})
      .add({"units"}, &DatasetColumn::units)
      .show({"units", 2}, [](const DatasetColumn& column) { return column.units == "1" ? "" : column.units; })
      .add({"better"}, [](const DatasetColumn& column) { return direction_name(better_of(column)); })
      .show({"better", 1}, direction_or_blank)
      .add({"meaning"}, &DatasetColumn::long_name, {.heading = "meaning", .narrowest = narrowest_text});
  return table.take();
}

/// Whether the value is the one that the parameter has by default.
bool is_default(const ParameterInfo& info, const FixedValue& fixed) {
  if (info.absence != Absence::fallback) return false;
  if (const auto* text = std::get_if<std::string>(&fixed.value)) return *text == info.fallback;
  const auto parsed = parse_quantity(info.fallback);
  const auto* quantity = std::get_if<QuantityText>(&parsed);
  const double value = std::holds_alternative<double>(fixed.value)
                           ? std::get<double>(fixed.value)
                           : static_cast<double>(std::get<std::int64_t>(fixed.value));
  return quantity != nullptr && quantity->value == value;
}

/// The fixed values that the sweep chose; defaults are counted.
std::string fixed_text(const DatasetReader& file, const Terminal& terminal) {
  const Estimator* const estimator = find_estimator(file.attribute("estimator"));
  const auto has_default = [&](const FixedValue& fixed) {
    if (estimator == nullptr) return false;
    const auto infos = estimator->parameters();
    const auto info =
        std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& one) { return one.name == fixed.name; });
    return info != infos.end() && is_default(*info, fixed);
  };
  std::vector<std::string> texts;
  for (const FixedValue& fixed : file.fixed())
    if (!has_default(fixed)) texts.push_back(fixed.name + "=" + fixed_value_text(fixed));
  std::string text = texts.empty() ? "" : wrapped("fixed: " + listed(texts, texts.size()), terminal, 2);
  if (const std::size_t defaults = file.fixed().size() - texts.size(); defaults > 0)
    text += fmt::format("{} by default (--json lists them)\n",
                        counted(defaults, texts.empty() ? "fixed value" : "more fixed value"));
  return text;
}

/// "merged from: a100 (12 rows, plan 0123...), ..."; empty: the result was not merged.
std::string merged_from_text(const DatasetReader& file, const Terminal& terminal) {
  std::vector<std::string> texts;
  for (const MergedSource& one : sources_of(file))
    texts.push_back(fmt::format("{} ({}, plan {}, checksum {})", printable(one.name), counted(one.rows, "row"),
                                printable(one.fingerprint), printable(one.checksum)));
  return texts.empty() ? "" : wrapped("merged from: " + listed(texts, texts.size()), terminal, 2);
}

JsonArray sources_json(const DatasetReader& file) {
  JsonArray sources;
  for (const MergedSource& one : sources_of(file))
    sources.push_back(JsonObject{
        {"name", one.name}, {"rows", one.rows}, {"plan_fingerprint", one.fingerprint}, {"checksum", one.checksum}});
  return sources;
}

std::string head_text(const ShownResult& shown, const Terminal& terminal) {
  const DatasetReader& file = *shown.file;
  std::string text = fmt::format("{}: {} of {} rows of estimator {}", printable(shown.path), file.complete_count(),
                                 file.row_count(), file.attribute("estimator"));
  if (file.complete_count() == file.row_count())
    text = fmt::format("{}: {} of estimator {}", printable(shown.path), counted(file.row_count(), "row"),
                       file.attribute("estimator"));
  return toned(terminal, Tone::bold, text) + "\n";
}

}  // namespace

std::string summary_text(const ShownResult& shown, const Terminal& terminal) {
  std::string text = head_text(shown, terminal);
  text += merged_from_text(*shown.file, terminal);
  text += fixed_text(*shown.file, terminal) + '\n';
  text += axes_text(*shown.summary, terminal) + '\n';
  if (const std::string conditions = shown.file->attribute("search_where"); !conditions.empty())
    text += wrapped("candidates of the search: " + printable(conditions), terminal, 2) + '\n';
  text += status_text(shown.summary->statuses, "rows", terminal) + '\n';
  if (!shown.summary->searched.empty())
    text += status_text(shown.summary->searched, "points searched", terminal) + '\n';
  if (const std::string reasons = reasons_text(shown.misses, terminal); !reasons.empty()) text += reasons + '\n';
  text += metrics_text(*shown.file, *shown.summary, terminal) + '\n';
  return text;
}

Json summary_json(const ShownResult& shown) {
  JsonObject status;
  for (const StatusCount& count : shown.summary->statuses) status.emplace_back(count.name, count.rows);
  JsonObject searched;
  for (const StatusCount& count : shown.summary->searched) searched.emplace_back(count.name, count.rows);
  JsonArray axes;
  for (const AxisValues& axis : shown.summary->axes) {
    JsonArray values;
    for (const double value : axis.values)
      values.push_back(axis.names.empty() ? Json(value) : Json(axis.names[static_cast<std::size_t>(value)]));
    axes.push_back(JsonObject{{"name", axis.column->name},
                              {"units", axis.column->units},
                              {"count", axis.values.size() > counted_axis_values ? Json() : Json(axis.values.size())},
                              {"values", axis.values.size() > counted_axis_values ? Json() : Json(std::move(values))}});
  }
  JsonObject fixed;
  for (const FixedValue& value : shown.file->fixed())
    std::visit([&](const auto& held) { fixed.emplace_back(value.name, held); }, value.value);
  const std::string conditions = shown.file->attribute("search_where");
  return JsonObject{{"merged_from", sources_json(*shown.file)},
                    {"fixed", std::move(fixed)},
                    {"axes", std::move(axes)},
                    {"status", std::move(status)},
                    {"search_where", conditions.empty() ? Json() : Json(conditions)},
                    {"searched", shown.summary->searched.empty() ? Json() : Json(std::move(searched))},
                    {"metrics", rows_json(metrics_table(*shown.file, shown.summary->metrics))}};
}

std::string columns_text(const DatasetReader& file, const Terminal& terminal) {
  return render_table(text_columns(columns_table(file)), terminal).text;
}

Json columns_json(const DatasetReader& file) {
  return rows_json(columns_table(file));
}

}  // namespace dfsweep
