/// The words and tables of `show`, and the same as JSON.
#include "engine/commands/show_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "engine/output.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t listed_values = 12;
constexpr std::size_t narrowest_text = 20;
constexpr std::size_t counted_values = 10000;

std::string_view direction_name(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "neither";
}

/// Distinct values of an axis; above `counted_values` only the first of them.
struct AxisValues {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;
  std::vector<double> values;
};

std::vector<AxisValues> axes_of(const DatasetReader& file) {
  std::vector<AxisValues> axes;
  for (const DatasetColumn* column : axis_columns(file))
    axes.push_back({column, value_names(file, *column), distinct_values(file, *column, {}, counted_values)});
  return axes;
}

std::string values_text(const AxisValues& axis) {
  std::vector<std::string> texts;
  for (const double value : axis.values) {
    const auto code = static_cast<std::size_t>(std::max(value, 0.0));
    texts.push_back(axis.names.empty() ? with_unit(value, axis.column->units) : printable(axis.names[code]));
  }
  return listed(texts, listed_values);
}

std::string count_text(std::size_t count) {
  return count > counted_values ? fmt::format("over {}", counted_values) : fmt::format("{}", count);
}

std::string axes_text(const DatasetReader& file, const Terminal& terminal) {
  std::string text;
  std::vector<TextColumn> table(3);
  table[0] = {.heading = "axis", .weight = 2};
  table[1] = {.heading = "values", .align = Align::right, .weight = 1};
  table[2] = {.heading = "", .weight = 0, .narrowest = narrowest_text};
  for (const AxisValues& axis : axes_of(file)) {
    table[0].cells.push_back(printable(axis.column->name));
    table[1].cells.push_back(count_text(axis.values.size()));
    table[2].cells.push_back(values_text(axis));
  }
  return render_table(table, terminal, 2).text;
}

std::string status_text(const ResultSummary& summary, const Terminal& terminal) {
  std::vector<TextColumn> table(3);
  table[0] = {.heading = "status"};
  table[1] = {.heading = "rows", .align = Align::right};
  table[2] = {.heading = "share", .align = Align::right};
  for (const StatusCount& status : summary.statuses) {
    table[0].cells.push_back(printable(status.name));
    table[1].cells.push_back(fmt::format("{}", status.rows));
    table[2].cells.push_back(
        fmt::format("{:.1f} %", 100.0 * static_cast<double>(status.rows) / static_cast<double>(summary.rows)));
  }
  return render_table(table, terminal, 2).text;
}

std::string metrics_text(const ResultSummary& summary, const Terminal& terminal) {
  std::vector<TextColumn> table(5);
  table[0] = {.heading = "metric", .weight = 4};
  table[1] = {.heading = "least", .align = Align::right, .weight = 3};
  table[2] = {.heading = "most", .align = Align::right, .weight = 3};
  table[3] = {.heading = "better", .weight = 2};
  table[4] = {.heading = "meaning", .weight = 1, .narrowest = narrowest_text};
  for (const MetricRange& range : summary.metrics) {
    table[0].cells.push_back(printable(range.column->name));
    table[1].cells.push_back(with_unit(range.least, range.column->units));
    table[2].cells.push_back(with_unit(range.most, range.column->units));
    const Better better = better_of(*range.column);
    table[3].cells.push_back(better == Better::neither ? "" : std::string(direction_name(better)));
    table[4].cells.push_back(printable(range.column->long_name));
  }
  return render_table(table, terminal, 2).text;
}

std::string fixed_text(const DatasetReader& file, const Terminal& terminal) {
  std::vector<std::string> texts;
  for (const FixedValue& fixed : file.fixed()) texts.push_back(fixed.name + "=" + fixed_value_text(fixed));
  if (texts.empty()) return {};
  return wrapped("fixed: " + listed(texts, texts.size()), terminal, 2);
}

std::string head_text(const ShownResult& shown, const Terminal& terminal) {
  const DatasetReader& file = *shown.file;
  std::string text = fmt::format("{}: {} of {} rows of estimator {}", printable(shown.path), file.complete_count(),
                                 file.row_count(), file.attribute("estimator"));
  if (file.complete_count() == file.row_count())
    text = fmt::format("{}: {} rows of estimator {}", printable(shown.path), file.row_count(),
                       file.attribute("estimator"));
  return toned(terminal, Tone::bold, text) + "\n";
}

std::string summary_text(const ShownResult& shown, const Terminal& terminal) {
  std::string text = head_text(shown, terminal);
  text += fixed_text(*shown.file, terminal) + '\n';
  text += axes_text(*shown.file, terminal) + '\n';
  text += status_text(*shown.summary, terminal) + '\n';
  text += metrics_text(*shown.summary, terminal) + '\n';
  return text;
}

std::string names_of(const std::vector<const DatasetColumn*>& columns) {
  std::vector<std::string> names;
  for (const DatasetColumn* column : columns) names.push_back(printable(column->name));
  return listed(names, names.size());
}

/// "best step_time (lower is better) by model, 3 rows each, where ..."
std::string title_of(const ShownResult& shown) {
  const ShownQuestion& question = *shown.question;
  std::string title;
  if (question.kind == ShownQuestion::Kind::pareto) {
    title = fmt::format("Pareto front of {}: {} of {} rows", names_of(question.metrics), shown.answer.on_front,
                        shown.answer.considered);
  } else {
    title = fmt::format("best {} ({} is better)", names_of(question.metrics),
                        direction_name(better_of(*question.metrics.front())));
    if (!question.by.empty()) title += " by " + names_of(question.by);
  }
  if (!shown.condition.empty()) title += " where " + printable(shown.condition);
  return title;
}

/// Why rows are missing from the answer; empty where none are.
std::string exclusion_of(const ShownAnswer& answer) {
  std::string text;
  if (answer.not_ok != 0) text = fmt::format("{} of {} rows left out: status not ok", answer.not_ok, answer.considered);
  if (answer.no_value != 0)
    text += fmt::format("{}{} without a value", text.empty() ? "left out: " : "; ", answer.no_value);
  return text;
}

std::string faint_note(const std::string& note, const Terminal& terminal) {
  std::string lines = wrapped(note, terminal, 2);
  lines.pop_back();
  return toned(terminal, Tone::faint, lines) + '\n';
}

std::string answer_text(const ShownResult& shown, const Terminal& terminal) {
  const ShownAnswer& answer = shown.answer;
  std::string text = toned(terminal, Tone::bold, title_of(shown)) + '\n';
  std::vector<TextColumn> table;
  for (const DatasetColumn* column : answer.columns) {
    table.push_back(text_column(read_cells(*shown.file, *column, answer.rows)));
    const auto has = [&](const auto& list) { return std::find(list.begin(), list.end(), column) != list.end(); };
    table.back().weight =
        has(shown.question->metrics) || has(shown.question->by) ? 2 : !is_metric(*shown.file, *column);
  }
  if (answer.rows.empty())
    text += answer.considered == 0 ? "  no rows\n" : "  no rows with a value\n";
  else {
    const RenderedTable rendered = render_table(table, terminal, 2);
    text += rendered.text;
    if (!rendered.left_out.empty())
      text += faint_note(
          "not shown for lack of width (choose with --columns): " + listed(rendered.left_out, rendered.left_out.size()),
          terminal);
  }
  const std::string exclusion = exclusion_of(answer);
  if (!exclusion.empty()) text += faint_note(exclusion, terminal);
  return text;
}

Json summary_json(const ShownResult& shown) {
  JsonObject status;
  for (const StatusCount& count : shown.summary->statuses) status.emplace_back(count.name, count.rows);
  JsonArray metrics;
  for (const MetricRange& range : shown.summary->metrics)
    metrics.push_back(JsonObject{{"name", range.column->name},
                                 {"units", range.column->units},
                                 {"better", direction_name(better_of(*range.column))},
                                 {"least", range.least},
                                 {"most", range.most},
                                 {"rows", range.with_value}});
  JsonArray axes;
  for (const AxisValues& axis : axes_of(*shown.file)) {
    JsonArray values;
    for (const double value : axis.values)
      values.push_back(axis.names.empty() ? Json(value) : Json(axis.names[static_cast<std::size_t>(value)]));
    axes.push_back(JsonObject{{"name", axis.column->name},
                              {"units", axis.column->units},
                              {"count", axis.values.size() > counted_values ? Json() : Json(axis.values.size())},
                              {"values", axis.values.size() > counted_values ? Json() : Json(std::move(values))}});
  }
  JsonObject fixed;
  for (const FixedValue& value : shown.file->fixed())
    std::visit([&](const auto& held) { fixed.emplace_back(value.name, held); }, value.value);
  return JsonObject{{"fixed", std::move(fixed)},
                    {"axes", std::move(axes)},
                    {"status", std::move(status)},
                    {"metrics", std::move(metrics)}};
}

Json answer_json(const ShownResult& shown) {
  const ShownAnswer& answer = shown.answer;
  std::vector<RowCells> cells;
  for (const DatasetColumn* column : answer.columns) cells.push_back(read_cells(*shown.file, *column, answer.rows));
  const RowCells points = read_cells(*shown.file, *shown.file->column("point"), answer.rows);
  JsonArray rows;
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    JsonObject members{{"point", json_cell(points, row)}};
    for (const RowCells& column : cells)
      if (column.column->name != "point") members.emplace_back(column.column->name, json_cell(column, row));
    rows.push_back(std::move(members));
  }
  JsonArray metrics;
  for (const DatasetColumn* metric : shown.question->metrics)
    metrics.push_back(JsonObject{{"name", metric->name}, {"better", direction_name(better_of(*metric))}});
  JsonArray by;
  for (const DatasetColumn* column : shown.question->by) by.push_back(column->name);
  const bool is_front = shown.question->kind == ShownQuestion::Kind::pareto;
  return JsonObject{{"kind", is_front ? "pareto" : "best"},
                    {"metrics", std::move(metrics)},
                    {"by", std::move(by)},
                    {"where", shown.condition.empty() ? Json() : Json(shown.condition)},
                    {"considered", answer.considered},
                    {"not_ok", answer.not_ok},
                    {"no_value", answer.no_value},
                    {"rows", std::move(rows)}};
}

}  // namespace

void print_result(const ShownResult& shown, OutputForm form, const Terminal& terminal) {
  if (form == OutputForm::text) {
    write_results(shown.summary ? summary_text(shown, terminal) : std::string());
    write_results(shown.question ? answer_text(shown, terminal) : std::string());
    return;
  }
  JsonObject json{{"file", shown.path},
                  {"estimator", shown.file->attribute("estimator")},
                  {"plan_fingerprint", shown.file->attribute("plan_fingerprint")},
                  {"rows", shown.file->row_count()},
                  {"complete", shown.file->complete_count()}};
  if (shown.summary) json.emplace_back("summary", summary_json(shown));
  if (shown.question) json.emplace_back("answer", answer_json(shown));
  write_results(to_text(json));
}

void print_columns(const ShownResult& shown, OutputForm form, const Terminal& terminal) {
  JsonArray json;
  std::vector<TextColumn> table(4);
  table[0] = {.heading = "column", .weight = 3};
  table[1] = {.heading = "units", .weight = 2};
  table[2] = {.heading = "better", .weight = 1};
  table[3] = {.heading = "meaning", .weight = 0, .narrowest = narrowest_text};
  for (const DatasetColumn& column : shown.file->columns()) {
    const Better better = better_of(column);
    json.push_back(JsonObject{{"name", column.name},
                              {"units", column.units},
                              {"better", direction_name(better)},
                              {"meaning", column.long_name}});
    table[0].cells.push_back(printable(column.name));
    table[1].cells.push_back(column.units == "1" ? "" : printable(column.units));
    table[2].cells.push_back(better == Better::neither ? "" : std::string(direction_name(better)));
    table[3].cells.push_back(printable(column.long_name));
  }
  write_results(form == OutputForm::json ? to_text(std::move(json)) : render_table(table, terminal).text);
}

}  // namespace dfsweep
