/// The words and tables of `show`.
#include "engine/commands/show_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "engine/commands/show_tie.hpp"
#include "engine/rendering/explanation_text.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t listed_values = 12;
constexpr std::size_t listed_metrics = 32;
constexpr std::size_t listed_further = 16;
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
  std::vector<TextColumn> table(3);
  table[0] = {.heading = "axis", .weight = 2};
  table[1] = {.heading = "values", .align = Align::right, .weight = 1};
  table[2] = {.heading = "", .weight = 0, .narrowest = narrowest_text};
  for (const AxisValues& axis : summary.axes) {
    table[0].cells.push_back(printable(axis.column->name));
    table[1].cells.push_back(count_text(axis.values.size()));
    table[2].cells.push_back(values_text(axis));
  }
  return render_table(table, terminal, 2).text;
}

/// `heading` names what is counted: "rows", "points searched".
std::string status_text(const std::vector<StatusCount>& statuses, std::string heading, const Terminal& terminal) {
  std::uint64_t all = 0;
  for (const StatusCount& status : statuses) all += status.rows;
  std::vector<TextColumn> table(3);
  table[0] = {.heading = "status"};
  table[1] = {.heading = std::move(heading), .align = Align::right};
  table[2] = {.heading = "share", .align = Align::right};
  for (const StatusCount& status : statuses) {
    table[0].cells.push_back(printable(status.name));
    table[1].cells.push_back(fmt::format("{}", status.rows));
    table[2].cells.push_back(
        fmt::format("{:.1f} %", 100.0 * static_cast<double>(status.rows) / static_cast<double>(all)));
  }
  return render_table(table, terminal, 2).text;
}

std::string metrics_text(const DatasetReader& file, const ResultSummary& summary, const Terminal& terminal) {
  std::vector<TextColumn> table(5);
  table[0] = {.heading = "metric", .weight = 4};
  table[1] = {.heading = "least", .align = Align::right, .weight = 3};
  table[2] = {.heading = "most", .align = Align::right, .weight = 3};
  table[3] = {.heading = "better", .weight = 2};
  table[4] = {.heading = "meaning", .weight = 1, .narrowest = narrowest_text};
  const std::size_t shown = std::min(summary.metrics.size(), listed_metrics);
  for (const MetricRange& range : std::span(summary.metrics).first(shown)) {
    table[0].cells.push_back(printable(range.column->name));
    const bool is_named = !value_names(file, *range.column).empty();
    table[1].cells.push_back(is_named ? "" : with_unit(range.least, range.column->units));
    table[2].cells.push_back(is_named ? "" : with_unit(range.most, range.column->units));
    const Better better = better_of(*range.column);
    table[3].cells.push_back(better == Better::neither ? "" : std::string(direction_name(better)));
    table[4].cells.push_back(printable(range.column->long_name));
  }
  std::string text = render_table(table, terminal, 2).text;
  if (shown < summary.metrics.size())
    text += fmt::format("  and {} more metrics (--columns lists them)\n", summary.metrics.size() - shown);
  return text;
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
    text = fmt::format("{}: {} of estimator {}", printable(shown.path), counted(file.row_count(), "row"),
                       file.attribute("estimator"));
  return toned(terminal, Tone::bold, text) + "\n";
}

std::string summary_text(const ShownResult& shown, const Terminal& terminal) {
  std::string text = head_text(shown, terminal);
  text += fixed_text(*shown.file, terminal) + '\n';
  text += axes_text(*shown.summary, terminal) + '\n';
  text += status_text(shown.summary->statuses, "rows", terminal) + '\n';
  if (!shown.summary->searched.empty())
    text += status_text(shown.summary->searched, "points searched", terminal) + '\n';
  if (const std::string reasons = reasons_text(shown.misses, terminal); !reasons.empty()) text += reasons + '\n';
  text += metrics_text(*shown.file, *shown.summary, terminal) + '\n';
  return text;
}

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
  if (const std::string tie = tie_note(shown); !tie.empty()) text += faint_note(tie, terminal);
  const std::string exclusion = exclusion_of(shown);
  if (!exclusion.empty()) text += faint_note(exclusion, terminal);
  return text;
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
  if (shown.summary) text += summary_text(shown, terminal);
  if (shown.question) text += answer_text(shown, terminal);
  for (const Explanation& section : shown.sensitivities) text += "\n" + explanation_text(section, terminal);
  return text;
}

std::string columns_text(const DatasetReader& file, const Terminal& terminal) {
  std::vector<TextColumn> table(4);
  table[0] = {.heading = "column", .weight = 3};
  table[1] = {.heading = "units", .weight = 2};
  table[2] = {.heading = "better", .weight = 1};
  table[3] = {.heading = "meaning", .weight = 0, .narrowest = narrowest_text};
  for (const DatasetColumn& column : file.columns()) {
    const Better better = better_of(column);
    table[0].cells.push_back(printable(column.name));
    table[1].cells.push_back(column.units == "1" ? "" : printable(column.units));
    table[2].cells.push_back(better == Better::neither ? "" : std::string(direction_name(better)));
    table[3].cells.push_back(printable(column.long_name));
  }
  return render_table(table, terminal).text;
}

}  // namespace dfsweep
