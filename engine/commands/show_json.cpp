/// The answers of `show` for programs.
#include <utility>

#include "engine/commands/show_text.hpp"
#include "engine/rendering/explanation_text.hpp"

namespace dfsweep {
namespace {

std::string_view kind_name(ShownQuestion::Kind kind) {
  return kind == ShownQuestion::Kind::pareto ? "pareto" : kind == ShownQuestion::Kind::best ? "best" : "first";
}

Json summary_json(const ShownResult& shown) {
  JsonObject status;
  for (const StatusCount& count : shown.summary->statuses) status.emplace_back(count.name, count.rows);
  JsonObject searched;
  for (const StatusCount& count : shown.summary->searched) searched.emplace_back(count.name, count.rows);
  JsonArray metrics;
  for (const MetricRange& range : shown.summary->metrics)
    metrics.push_back(JsonObject{{"name", range.column->name},
                                 {"units", range.column->units},
                                 {"better", direction_name(better_of(*range.column))},
                                 {"least", range.least},
                                 {"most", range.most},
                                 {"rows", range.with_value}});
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
  return JsonObject{{"fixed", std::move(fixed)},
                    {"axes", std::move(axes)},
                    {"status", std::move(status)},
                    {"searched", shown.summary->searched.empty() ? Json() : Json(std::move(searched))},
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
  JsonObject not_ok;
  const std::vector<std::string> statuses = value_names(*shown.file, *shown.file->column("status"));
  for (std::size_t code = 0; code < statuses.size(); ++code)
    if (answer.counts.not_ok[code] != 0) not_ok.emplace_back(statuses[code], answer.counts.not_ok[code]);
  return JsonObject{{"kind", kind_name(shown.question->kind)},
                    {"metrics", std::move(metrics)},
                    {"by", std::move(by)},
                    {"where", shown.condition.empty() ? Json() : Json(shown.condition)},
                    {"considered", answer.counts.considered},
                    {"not_ok", std::move(not_ok)},
                    {"no_value", answer.counts.no_value},
                    {"rows", std::move(rows)}};
}

}  // namespace

Json result_json(const ShownResult& shown) {
  JsonObject json{{"file", shown.path},
                  {"estimator", shown.file->attribute("estimator")},
                  {"plan_fingerprint", shown.file->attribute("plan_fingerprint")},
                  {"rows", shown.file->row_count()},
                  {"complete", shown.file->complete_count()}};
  if (shown.summary) json.emplace_back("summary", summary_json(shown));
  if (shown.summary) json.emplace_back("reasons", reasons_json(shown.misses));
  if (shown.question) json.emplace_back("answer", answer_json(shown));
  if (!shown.sensitivities.empty()) {
    JsonArray sections;
    for (const Explanation& section : shown.sensitivities) sections.push_back(explanation_json(section));
    json.emplace_back("sensitivity", std::move(sections));
  }
  return json;
}

Json columns_json(const DatasetReader& file) {
  JsonArray json;
  for (const DatasetColumn& column : file.columns())
    json.push_back(JsonObject{{"name", column.name},
                              {"units", column.units},
                              {"better", direction_name(better_of(column))},
                              {"meaning", column.long_name}});
  return json;
}

}  // namespace dfsweep
