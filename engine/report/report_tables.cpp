/// The plain tables of a page: what it says to readers without scripts.
#include "engine/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "engine/report/provenance.hpp"
#include "engine/report/reduction/axis_coder.hpp"
#include "engine/results/result_rows.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_answers = 30;
constexpr std::size_t most_best_rows = 400;
constexpr std::size_t most_front_rows = 100;
constexpr std::size_t most_columns_of_metrics = 8;

void add_column(html::Table& table, std::string header, std::vector<std::string> cells, bool is_numeric) {
  table.headers.push_back(std::move(header));
  table.numeric.push_back(is_numeric);
  if (table.rows.empty()) table.rows.resize(cells.size());
  for (std::size_t r = 0; r < cells.size(); ++r) table.rows[r].push_back(std::move(cells[r]));
}

/// `places`: in the kept rows.
void add_axis(html::Table& table, const Report& report, std::size_t a, const std::vector<std::size_t>& places) {
  const SubjectAxis& axis = report.subject.axes[a];
  std::vector<std::string> cells;
  for (const std::size_t place : places) {
    const std::uint32_t code = report.kept_rows.axes[a][place];
    if (code == AxisCoder::no_code) {
      cells.emplace_back("-");
      continue;
    }
    if (code == axis.values.size()) {
      cells.emplace_back(rest_name);
      continue;
    }
    const double value = axis.values[code];
    const auto stored = static_cast<std::size_t>(std::max(value, 0.0));
    cells.push_back(axis.names.empty()           ? input_with_unit(value, axis.column->units)
                    : stored < axis.names.size() ? printable(axis.names[stored])
                                                 : std::string("-"));
  }
  add_column(table, printable(axis.column->name), std::move(cells), axis.names.empty());
}

/// `m`: a place in Views::metrics.
void add_metric(html::Table& table, const Report& report, std::size_t m, const std::vector<std::size_t>& places) {
  const SubjectMetric& metric = report.subject.metrics[report.views.metrics[m]];
  std::vector<double> values;
  for (const std::size_t place : places) values.push_back(report.kept_rows.metrics[m][place]);
  if (!metric.names.empty()) {
    std::vector<std::string> cells;
    for (const double value : values)
      cells.push_back(value >= 0.0 && value < static_cast<double>(metric.names.size())
                          ? printable(metric.names[static_cast<std::size_t>(value)])
                          : std::string("-"));
    add_column(table, printable(metric.column->name), std::move(cells), false);
    return;
  }
  NumberColumn numbers = format_column(values, metric.column->units);
  for (std::string& cell : numbers.cells) cell.erase(cell.find_last_not_of(' ') + 1);
  const std::string unit = numbers.unit.empty() ? std::string() : fmt::format(", {}", numbers.unit);
  add_column(table, printable(metric.column->name) + unit, std::move(numbers.cells), true);
}

/// Axes of the views in order of the page, then all others.
std::vector<std::size_t> axes_in_order(const Report& report) {
  std::vector<std::size_t> axes;
  const auto add = [&](std::size_t a) {
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) axes.push_back(a);
  };
  if (report.views.facet) add(*report.views.facet);
  if (report.views.y) add(*report.views.y);
  for (const std::size_t a : report.views.x) add(a);
  for (std::size_t a = 0; a < report.subject.axes.size(); ++a) add(a);
  return axes;
}

html::Table table_of(const Report& report, std::string caption, const std::vector<std::size_t>& places,
                     const std::vector<std::size_t>& metrics) {
  html::Table table;
  table.caption = std::move(caption);
  table.rows.resize(places.size());
  std::vector<std::string> points;
  for (const std::size_t place : places) points.push_back(std::to_string(report.kept_rows.points[place]));
  const std::vector<std::size_t> axes = axes_in_order(report);
  for (const std::size_t a : axes) add_axis(table, report, a, places);
  for (const std::size_t m : metrics) add_metric(table, report, m, places);
  add_column(table, "point", std::move(points), true);
  return table;
}

std::vector<std::size_t> first_metrics(const Report& report) {
  std::vector<std::size_t> metrics(std::min(report.views.metrics.size(), most_columns_of_metrics));
  for (std::size_t m = 0; m < metrics.size(); ++m) metrics[m] = m;
  return metrics;
}

/// `m`: a place in Subject::metrics that the page carries; its place in Views::metrics.
std::size_t place_of_metric(const Report& report, std::size_t m) {
  const auto& metrics = report.views.metrics;
  return static_cast<std::size_t>(std::find(metrics.begin(), metrics.end(), m) - metrics.begin());
}

/// The system of a row: codes of the axes that the heat maps show.
std::vector<std::uint32_t> system_of(const Report& report, std::size_t place) {
  std::vector<std::uint32_t> codes;
  const auto add = [&](std::size_t a) { codes.push_back(report.kept_rows.axes[a][place]); };
  if (report.views.facet) add(*report.views.facet);
  if (report.views.y) add(*report.views.y);
  for (const std::size_t a : report.views.x) add(a);
  return codes;
}

/// The best row of the first objective for every system; rows of the sample of kept ones that matter.
html::Table best_table(const Report& report) {
  std::map<std::vector<std::uint32_t>, BestRow> best;
  for (const BestRow& row : report.reduction.cube.best(0))
    if (row.row != no_row) best[system_of(report, place_of(report.kept, row.row))].offer(row.cost, row.row);
  std::vector<std::size_t> places;
  for (const auto& [system, row] : best)
    if (places.size() < most_best_rows) places.push_back(place_of(report.kept, row.row));
  const SubjectMetric& metric = report.subject.metrics[report.views.objectives.front()];
  const std::string shown =
      places.size() < best.size() ? fmt::format(" (the first {} of {})", places.size(), best.size()) : "";
  return table_of(report, fmt::format("Best {} of each system{}", printable(metric.column->name), shown), places,
                  first_metrics(report));
}

/// Winner and runner-up of each task by the metric that the sweep is about.
html::Table answer_table(const Report& report) {
  std::vector<std::size_t> places;
  std::vector<std::string> ranks;
  std::vector<std::string> notes;
  const std::size_t tasks = std::min(report.rankings.size(), most_answers);
  for (const Ranking& ranking : std::span(report.rankings).first(tasks)) {
    constexpr std::size_t shown = 2;
    for (std::size_t i = 0; i < std::min(shown, ranking.rows.size()); ++i) {
      places.push_back(place_of(report.kept, ranking.rows[i]));
      ranks.emplace_back(i == 0 ? "winner" : "runner-up");
      const bool is_tie = i == 1 && ranking.tied > 1;
      notes.push_back(i == 0 ? "" : is_tie ? "a tie" : fmt::format("{:.4g} times", ranking.behind));
      if (i == 1 && !is_tie && !is_given(ranking.behind)) notes.back() = "-";
    }
  }
  const SubjectMetric& metric = report.subject.metrics[*report.views.decides];
  const std::string extent = tasks < report.rankings.size()
                                 ? fmt::format(", the first {} of {} tasks", tasks, report.rankings.size())
                                 : std::string();
  html::Table table = table_of(report, fmt::format("Best {}{}", printable(metric.column->name), extent), places,
                               {place_of_metric(report, *report.views.decides)});
  add_column(table, "rank", std::move(ranks), false);
  add_column(table, "behind", std::move(notes), false);
  return table;
}

html::Table front_table(const Report& report, std::size_t pair) {
  const auto& [x, y] = report.views.trade_offs[pair];
  Front front = report.reduction.pairs[pair].whole();
  const std::size_t members = front.steps().size();
  front.thin(most_front_rows);
  std::vector<std::size_t> places;
  for (const FrontMember& member : front.steps()) places.push_back(place_of(report.kept, member.row));
  const std::string names = fmt::format("{} and {}", printable(report.subject.metrics[x].column->name),
                                        printable(report.subject.metrics[y].column->name));
  const std::string caption =
      members > places.size() ? fmt::format("Front of {}: {} of {} rows, evenly chosen", names, places.size(), members)
                              : fmt::format("Front of {}: {}", names, counted(members, "row"));
  return table_of(report, caption, places, {place_of_metric(report, x), place_of_metric(report, y)});
}

html::Table status_table(const Subject& subject) {
  html::Table table{.caption = "Rows by status",
                    .headers = {"status", "rows", "share", "meaning"},
                    .rows = {},
                    .numeric = {false, true, true, false}};
  const auto all = static_cast<double>(std::max<std::uint64_t>(subject.rows(), 1));
  for (std::size_t code = 0; code < subject.statuses.size(); ++code) {
    if (subject.status_rows[code] == 0 || code == subject.missing) continue;
    const std::uint64_t rows = subject.status_rows[code];
    table.rows.push_back({printable(subject.statuses[code]), std::to_string(rows),
                          fmt::format("{:.1f} %", 100.0 * static_cast<double>(rows) / all),
                          status_meaning(*subject.file, subject.statuses[code])});
  }
  return table;
}

}  // namespace

std::vector<html::Table> report_tables(const Report& report) {
  std::vector<html::Table> tables;
  if (!report.rankings.empty()) tables.push_back(answer_table(report));
  if (!report.views.objectives.empty()) tables.push_back(best_table(report));
  for (std::size_t pair = 0; pair < report.views.trade_offs.size(); ++pair) tables.push_back(front_table(report, pair));
  tables.push_back(status_table(report.subject));
  std::erase_if(tables, [](const html::Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace dfsweep::report
