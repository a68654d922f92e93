/// The answers of `show`: rows and the words around them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "engine/commands/show_output.hpp"
#include "engine/rendering/explanation_text.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/ties.hpp"
#include "engine/sweep/estimators.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t listed_further = 16;
constexpr std::string_view expected_error_name = "expected_error";

std::string names_of(const std::vector<const DatasetColumn*>& columns,
                     std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::vector<std::string> names;
  for (const DatasetColumn* column : columns) names.push_back(printable(column->name));
  return listed(names, std::min(most, names.size()));
}

/// Why rows are missing from the answer: "14 of 80 rows left out: out_of_memory 12, no value 2"; empty where none are.
std::string exclusion_of(const ShownResult& shown) {
  const RowCounts& counts = shown.answer.counts;
  const std::vector<std::string> names = value_names(*shown.file, *shown.file->column("status"));
  std::vector<std::string> reasons;
  std::uint64_t left_out = counts.no_value;
  for (std::size_t code = 0; code < counts.not_ok.size(); ++code) {
    if (counts.not_ok[code] == 0) continue;
    left_out += counts.not_ok[code];
    reasons.push_back(
        fmt::format("{} {}", code < names.size() ? printable(names[code]) : "status", counts.not_ok[code]));
  }
  if (counts.no_value != 0) reasons.push_back(fmt::format("no value {}", counts.no_value));
  if (reasons.empty() || shown.question->kind == ShownQuestion::Kind::first) return {};
  return fmt::format("{} of {} rows left out: {}", left_out, counts.considered, listed(reasons, reasons.size()));
}

std::string faint_note(const std::string& note, const Terminal& terminal) {
  std::string lines = wrapped(note, terminal, 2);
  lines.pop_back();
  return toned(terminal, Tone::faint, lines) + '\n';
}

/// "the second row is 1.2 % behind; a tie: the first 3 rows lie within 4.2 %, the expected error"; empty where there is
/// no second row.
std::string margin_note(const ShownRanking& ranking) {
  if (!is_given(ranking.margin)) return {};
  const std::string distance = ranking.margin < 1e-3 ? "less than 0.1 %"
                               : ranking.margin > 10 ? "more than 1000 %"
                                                     : fmt::format("{:.1f} %", 100 * ranking.margin);
  const std::string behind = "the second row is " + distance + " behind";
  if (!(ranking.error > 0.0)) return behind + "; the error of such values is not known";
  if (ranking.tied < 2) return fmt::format("{}, the expected error is {:.1f} %", behind, 100 * ranking.error);
  return fmt::format("{}; a tie: the first {} rows lie within {:.1f} %, the expected error", behind, ranking.tied,
                     100 * ranking.error);
}

/// Whether the estimator of a result can know how well its values are known.
bool has_expected_errors(const DatasetReader& file) {
  const Estimator* estimator = find_estimator(file.attribute("estimator"), estimators());
  return estimator != nullptr && place_of_name(estimator->metrics(), expected_error_name).has_value();
}

/// A note for each ranking, of groups with their values first.
std::vector<std::string> margin_notes(const ShownResult& shown) {
  const ShownQuestion& question = *shown.question;
  if (!has_expected_errors(*shown.file)) return {};
  std::vector<std::string> notes;
  for (const ShownRanking& ranking : shown.answer.rankings) {
    std::string note = margin_note(ranking);
    if (note.empty()) continue;
    std::string group;
    const std::uint64_t row = shown.answer.rows[ranking.first];
    for (const DatasetColumn* column : question.by)
      group += (group.empty() ? "" : ", ") + text_cell(read_cells(*shown.file, *column, std::span(&row, 1)), 0);
    notes.push_back(group.empty() ? std::move(note) : group + ": " + note);
  }
  return notes;
}

std::string answer_text(const ShownResult& shown, const Terminal& terminal) {
  const ShownAnswer& answer = shown.answer;
  std::string text = toned(terminal, Tone::bold, answer_title(shown)) + '\n';
  std::vector<TextColumn> table;
  for (const DatasetColumn* column : answer.columns) {
    table.push_back(text_column(read_cells(*shown.file, *column, answer.rows)));
    const auto has = [&](const auto& list) { return std::find(list.begin(), list.end(), column) != list.end(); };
    table.back().weight =
        has(shown.question->metrics) || has(shown.question->by) ? 2 : !is_metric(*shown.file, *column);
  }
  if (answer.rows.empty())
    text += answer.counts.considered == 0 ? "  no rows\n" : "  no rows with a value\n";
  else {
    const RenderedTable rendered = render_table(table, terminal, 2);
    text += rendered.text;
    if (!rendered.left_out.empty())
      text += faint_note("not shown, the terminal is too narrow (choose with --columns): " +
                             listed(rendered.left_out, rendered.left_out.size()),
                         terminal);
    if (!answer.further.empty())
      text += faint_note("further metrics (--columns all shows them): " + names_of(answer.further, listed_further),
                         terminal);
  }
  for (const std::string& note : margin_notes(shown)) text += faint_note(note, terminal);
  const std::string exclusion = exclusion_of(shown);
  if (!exclusion.empty()) text += faint_note(exclusion, terminal);
  return text;
}

std::string_view kind_name(ShownQuestion::Kind kind) {
  return kind == ShownQuestion::Kind::pareto ? "pareto" : kind == ShownQuestion::Kind::best ? "best" : "first";
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
  JsonArray rankings;
  for (const ShownRanking& ranking : answer.rankings)
    rankings.push_back(JsonObject{{"rows", ranking.rows},
                                  {"tied", ranking.tied},
                                  {"margin", is_given(ranking.margin) ? Json(ranking.margin) : Json()},
                                  {"expected_error", is_given(ranking.error) ? Json(ranking.error) : Json()}});
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
                    {"rankings", std::move(rankings)},
                    {"rows", std::move(rows)}};
}

}  // namespace

std::string answer_title(const ShownResult& shown) {
  const ShownQuestion& question = *shown.question;
  std::string title;
  if (question.kind == ShownQuestion::Kind::pareto) {
    title = fmt::format("Pareto front of {}: {} of {} rows", names_of(question.metrics), shown.answer.on_front,
                        shown.answer.counts.considered);
  } else if (question.kind == ShownQuestion::Kind::first) {
    title = fmt::format("first of {} rows; none has a value of {}", shown.answer.counts.considered,
                        names_of(question.metrics));
  } else {
    title = fmt::format("best {} ({} is better)", names_of(question.metrics),
                        direction_name(better_of(*question.metrics.front())));
    if (!question.by.empty()) title += " by " + names_of(question.by);
  }
  if (!shown.condition.empty()) title += " where " + printable(shown.condition);
  return title;
}

std::string result_text(const ShownResult& shown, const Terminal& terminal) {
  std::string text;
  if (shown.progress)
    text += wrapped(fmt::format("not finished: {}. What follows is of these rows only.",
                                progress_text(*shown.progress, *shown.file)),
                    terminal, 0);
  if (shown.summary) text += summary_text(shown, terminal);
  if (shown.question) text += answer_text(shown, terminal);
  for (const Explanation& section : shown.sensitivities) text += "\n" + explanation_text(section, terminal);
  return text;
}

Json result_json(const ShownResult& shown) {
  JsonObject json{{"file", shown.path},
                  {"estimator", shown.file->attribute("estimator")},
                  {"plan_fingerprint", shown.file->attribute("plan_fingerprint")},
                  {"rows", shown.file->row_count()},
                  {"complete", shown.file->complete_count()}};
  if (shown.progress)
    json.emplace_back("blocks", JsonObject{{"done", shown.progress->done}, {"all", shown.progress->all}});
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

}  // namespace dfsweep
