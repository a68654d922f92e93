#include "engine/commands/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "engine/console/usage_error.hpp"
#include "engine/measurements/error_table.hpp"
#include "engine/rendering/chart.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_groups_drawn = 8;
constexpr double factor_drawn = 1.3;

std::string percent(double share, int digits) {
  return is_given(share) ? fmt::format("{:.{}f} %", 100 * share, digits) : "-";
}

std::string errors_text(const MeasuredMetric& metric, const Terminal& terminal) {
  std::vector<TextColumn> columns{{.heading = printable(metric.metric), .weight = 3, .narrowest = 12},
                                  {.heading = "rows", .align = Align::right, .weight = 2},
                                  {.heading = "median", .align = Align::right, .weight = 2},
                                  {.heading = "90 % below", .align = Align::right, .weight = 2},
                                  {.heading = "within 1.3", .align = Align::right, .weight = 1},
                                  {.heading = "within 1.5", .align = Align::right},
                                  {.heading = "predicted / measured", .align = Align::right, .weight = 1}};
  for (const ErrorLine& line : error_lines(metric)) {
    const bool is_all = columns[0].cells.empty();
    const std::string name = line.group.empty() ? "no group" : printable(line.group);
    columns[0].cells.push_back(is_all ? "all" : name);
    columns[1].cells.push_back(line.joined == line.measured ? std::to_string(line.joined)
                                                            : fmt::format("{} of {}", line.joined, line.measured));
    columns[2].cells.push_back(percent(line.median, 1));
    columns[3].cells.push_back(percent(line.percentile90, 1));
    columns[4].cells.push_back(percent(line.within_third, 0));
    columns[5].cells.push_back(percent(line.within_half, 0));
    columns[6].cells.push_back(is_given(line.predicted_ratio) ? fmt::format("{:.3f}", line.predicted_ratio) : "-");
  }
  return table_with_note(columns, terminal, 2);
}

std::string worst_text(const MeasuredMetric& metric, std::size_t count, const Terminal& terminal) {
  const std::vector<std::size_t> worst = worst_first(metric);
  if (count == 0 || worst.empty()) return {};
  std::vector<TextColumn> columns{{.heading = "farthest away", .weight = 3, .narrowest = 12},
                                  {.heading = "line", .align = Align::right, .weight = 2},
                                  {.heading = "measured", .align = Align::right, .weight = 2},
                                  {.heading = "predicted", .align = Align::right, .weight = 2},
                                  {.heading = "predicted / measured", .align = Align::right, .weight = 1}};
  for (const std::size_t place : std::span(worst).first(std::min(count, worst.size()))) {
    const JoinedRow& row = metric.rows[place];
    columns[0].cells.push_back(printable(row.name));
    columns[1].cells.push_back(std::to_string(row.line));
    columns[2].cells.push_back(with_unit(row.measured, metric.units));
    columns[3].cells.push_back(with_unit(row.predicted, metric.units));
    columns[4].cells.push_back(fmt::format("{:.3f}", row.predicted / row.measured));
  }
  return "\n" + table_with_note(columns, terminal, 2);
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

JsonObject error_json(const ErrorLine& line) {
  return {{"group", line.group},
          {"measured", line.measured},
          {"joined", line.joined},
          {"median", line.median},
          {"percentile90", line.percentile90},
          {"within_1.3", line.within_third},
          {"within_1.5", line.within_half},
          {"predicted_over_measured", line.predicted_ratio}};
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

}  // namespace

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
    JsonArray errors;
    for (const ErrorLine& line : error_lines(metric)) errors.emplace_back(error_json(line));
    JsonArray farthest;
    for (const std::size_t place : worst_first(metric))
      if (farthest.size() < worst) farthest.emplace_back(metric.rows[place].line);
    JsonArray rows;
    for (const JoinedRow& row : metric.rows) rows.emplace_back(row_json(row));
    metrics.emplace_back(JsonObject{{"metric", metric.metric},
                                    {"unit", metric.units},
                                    {"errors", std::move(errors)},
                                    {"worst_lines", std::move(farthest)},
                                    {"rows", std::move(rows)}});
  }
  JsonArray ignored;
  for (const std::string& name : measured.ignored) ignored.emplace_back(name);
  return to_text(JsonObject{{"metrics", std::move(metrics)}, {"ignored_columns", std::move(ignored)}});
}

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

}  // namespace dfsweep
