#include "engine/commands/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "engine/commands/picture_file.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/measurements/error_table.hpp"
#include "engine/measurements/joined_rows.hpp"
#include "engine/rendering/chart.hpp"
#include "engine/results/open_result.hpp"
#include "engine/tables/rendering.hpp"
#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/text_file.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_groups_drawn = 8;
constexpr double factor_drawn = 1.3;

NumberText percent_text(int digits) {
  return [digits](double share) { return is_given(share) ? fmt::format("{:.{}f} %", 100 * share, digits) : "-"; };
}

std::string ratio(double value) {
  return is_given(value) ? fmt::format("{:.3f}", value) : "-";
}

/// Errors of all rows, then of each group.
DataTable errors_table(const MeasuredMetric& metric) {
  TableOf<ErrorLine> table(error_lines(metric));
  table.add({"group"}, &ErrorLine::group)
      .show({.heading = printable(metric.metric), .weight = 3, .narrowest = 12},
            [](const ErrorLine& line) { return line.group.empty() ? "no group" : printable(line.group); })
      .add({"measured"}, &ErrorLine::measured)
      .add({"joined"}, &ErrorLine::joined)
      .show({.heading = "rows", .weight = 2, .align = Align::right},
            [](const ErrorLine& line) {
              return line.joined == line.measured ? std::to_string(line.joined)
                                                  : fmt::format("{} of {}", line.joined, line.measured);
            })
      .add({"median"}, &ErrorLine::median, {"median", 2, percent_text(1)})
      .add({"percentile90"}, &ErrorLine::percentile90, {"90 % below", 2, percent_text(1)})
      .add({"within_1.3"}, &ErrorLine::within_third, {"within 1.3", 1, percent_text(0)})
      .add({"within_1.5"}, &ErrorLine::within_half, {"within 1.5", 0, percent_text(0)})
      .add({"predicted_over_measured"}, &ErrorLine::predicted_ratio, {"predicted / measured", 1, ratio});
  return table.take();
}

std::string errors_text(const MeasuredMetric& metric, const Terminal& terminal) {
  std::vector<TextColumn> columns = text_columns(errors_table(metric));
  columns.front().cells.front() = "all";
  return table_with_note(columns, terminal, 2);
}

std::string worst_text(const MeasuredMetric& metric, std::size_t count, const Terminal& terminal) {
  std::vector<JoinedRow> worst;
  for (const std::size_t place : worst_first(metric))
    if (worst.size() < count) worst.push_back(metric.rows[place]);
  if (worst.empty()) return {};
  const NumberText quantity = [&metric](double value) { return with_unit(value, metric.units); };
  TableOf<JoinedRow> table(std::move(worst));
  table
      .show({.heading = "farthest away", .weight = 3, .narrowest = 12},
            [](const auto& row) { return printable(row.name); })
      .show({"line", 2}, &JoinedRow::line)
      .show({"measured", 2, quantity}, &JoinedRow::measured)
      .show({"predicted", 2, quantity}, &JoinedRow::predicted)
      .show({"predicted / measured", 1, ratio}, [](const auto& row) { return row.predicted / row.measured; });
  return "\n" + table_with_note(text_columns(table.take()), terminal, 2);
}

/// Reasons why rows have no prediction, the most frequent first, each with its count and its first row.
std::string missing_text(const MeasuredMetric& metric, const Terminal& terminal) {
  struct Reason {
    std::size_t rows = 0;
    std::uint64_t first_line = 0;
  };
  std::map<std::string, Reason> reasons;
  for (const JoinedRow& row : metric.rows) {
    if (row.problem.empty()) continue;
    Reason& reason = reasons[row.problem];
    if (reason.rows++ == 0) reason.first_line = row.line;
  }
  if (reasons.empty()) return {};
  std::vector<std::pair<std::string, Reason>> sorted(reasons.begin(), reasons.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.rows > b.second.rows; });
  std::string text = "\n  rows without a prediction\n";
  for (const auto& [problem, reason] : sorted)
    text += wrapped(fmt::format("    {}: {} (first in line {})", reason.rows, problem, reason.first_line), terminal, 6);
  return text;
}

JsonObject row_json(const JoinedRow& row) {
  JsonObject json{{"line", row.line}, {"name", row.name}, {"group", row.group}, {"measured", row.measured}};
  if (row.problem.empty())
    json.emplace_back("predicted", row.predicted);
  else
    json.emplace_back("problem", row.problem);
  return json;
}

/// Lines of equal and of 1.3 times more and less, over all values.
void add_guides(LineChart& chart, const MeasuredMetric& metric) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const JoinedRow& row : metric.rows) {
    if (!row.problem.empty() || !(row.predicted > 0.0)) continue;
    low = std::min({low, row.measured, row.predicted});
    high = std::max({high, row.measured, row.predicted});
  }
  const double span = high / low;
  chart.series.push_back({"equal, and 1.3 times", ChartSeries::Mark::guide, {{low, low}, {high, high}}});
  if (span < factor_drawn) return;
  chart.series.push_back({"", ChartSeries::Mark::guide, {{low, factor_drawn * low}, {high / factor_drawn, high}}});
  chart.series.push_back({"", ChartSeries::Mark::guide, {{factor_drawn * low, low}, {high, high / factor_drawn}}});
}

/// A table of errors for each metric, its `worst` rows, and the rows that have no prediction.
std::string comparison_text(const MeasuredRows& measured, std::size_t worst, const Terminal& terminal) {
  std::string text;
  for (const MeasuredMetric& metric : measured.metrics) {
    if (!text.empty()) text += '\n';
    text += errors_text(metric, terminal) + worst_text(metric, worst, terminal) + missing_text(metric, terminal);
  }
  if (!measured.ignored.empty())
    text += "\n" +
            wrapped(fmt::format("  columns that are not used: {}", printable(listed(measured.ignored))), terminal, 4);
  return text;
}

std::string comparison_json(const MeasuredRows& measured, std::size_t worst) {
  JsonArray metrics;
  for (const MeasuredMetric& metric : measured.metrics) {
    JsonArray farthest;
    for (const std::size_t place : worst_first(metric))
      if (farthest.size() < worst) farthest.emplace_back(metric.rows[place].line);
    JsonArray rows;
    for (const JoinedRow& row : metric.rows) rows.emplace_back(row_json(row));
    metrics.emplace_back(JsonObject{{"metric", metric.metric},
                                    {"unit", metric.units},
                                    {"errors", rows_json(errors_table(metric))},
                                    {"worst_lines", std::move(farthest)},
                                    {"rows", std::move(rows)}});
  }
  JsonArray ignored(measured.ignored.begin(), measured.ignored.end());
  return to_text(JsonObject{{"metrics", std::move(metrics)}, {"ignored_columns", std::move(ignored)}});
}

/// Predicted over measured with the diagonal and a factor of 1.3 to both sides, a colour for each group. Throws
/// UsageError where no row has a prediction.
std::string comparison_svg(const MeasuredMetric& metric) {
  if (metric.joined() == 0) throw UsageError("--plot: no row has a prediction, so there is nothing to draw.");
  const std::string name = printable(metric.metric);
  LineChart chart{.title = name + ": predicted over measured",
                  .x = {"measured " + name, metric.units},
                  .y = {"predicted " + name, metric.units},
                  .series = {}};
  add_guides(chart, metric);
  const std::size_t first = chart.series.size();
  std::map<std::string, std::size_t> places;
  for (const JoinedRow& row : metric.rows) {
    if (!row.problem.empty()) continue;
    const auto [at, is_new] = places.emplace(row.group, chart.series.size());
    if (is_new) chart.series.push_back({printable(row.group), ChartSeries::Mark::dots, {}});
    chart.series[at->second].points.push_back({row.measured, row.predicted});
  }
  if (places.size() > most_groups_drawn) {  // more colours than people tell apart
    ChartSeries all{"", ChartSeries::Mark::dots, {}};
    for (std::size_t s = first; s < chart.series.size(); ++s)
      all.points.insert(all.points.end(), chart.series[s].points.begin(), chart.series[s].points.end());
    chart.series.resize(first);
    chart.series.push_back(std::move(all));
  }
  return line_chart_svg(chart);
}

void keep_only(MeasuredRows& measured, const std::string& metric) {
  std::vector<std::string> names;
  for (const MeasuredMetric& one : measured.metrics) names.push_back(one.metric);
  std::erase_if(measured.metrics, [&](const MeasuredMetric& one) { return one.metric != metric; });
  if (measured.metrics.empty())
    throw UsageError(fmt::format("--metric '{}': no column of the rows is named like this metric. {}", metric,
                                 did_you_mean(metric, names, "Measured are: " + listed(names) + ".")));
}

}  // namespace

ExitStatus run_compare(const CompareOptions& options) {
  check_picture_name("--plot", options.plot);
  const DatasetReader file = open_result(options.path);
  RowText rows = read_row_text(options.rows);
  rename_columns(rows, column_pairs(options.columns));
  MeasuredRows measured = join_measured(file, rows, options.group);
  if (!measured.missing.empty()) write_message(missing_message(rows.shown, measured.missing));
  if (!options.metric.empty()) keep_only(measured, options.metric);
  if (options.form == OutputForm::json)
    write_results(comparison_json(measured, options.worst));
  else
    write_results(comparison_text(measured, options.worst, terminal_of(1, options.colour)));
  if (!options.plot.empty()) write_picture(options.plot, comparison_svg(measured.metrics.front()));
  return ExitStatus::complete;
}

}  // namespace dfsweep
