/// `show --plot`: the rows of an answer as a chart.
#include "engine/commands/show_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/rendering/chart.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

using Mark = ChartSeries::Mark;

constexpr std::size_t most_bars = 200;
constexpr std::size_t most_lines = 12;
constexpr std::size_t most_cells = 4000;
constexpr std::size_t most_colours = 8;  ///< of dots of a front

/// A column of the rows of an answer.
struct DrawnColumn {
  const DatasetColumn* column = nullptr;
  RowCells cells;
  std::vector<double> values = {};       ///< distinct values or codes, ascending
  std::vector<std::size_t> places = {};  ///< [row] index into values
  [[nodiscard]] bool is_named() const { return !cells.names.empty(); }
  [[nodiscard]] ChartQuantity quantity() const { return {printable(column->name), column->units}; }
};

DrawnColumn drawn_column(const ShownResult& shown, const DatasetColumn& column) {
  DrawnColumn drawn{.column = &column, .cells = read_cells(*shown.file, column, shown.answer.rows)};
  std::vector<double>& numbers = drawn.cells.numbers;
  if (numbers.empty()) numbers.assign(drawn.cells.wholes.begin(), drawn.cells.wholes.end());
  for (double& number : numbers)
    if (!is_given(number)) number = -1.0;  // no value on this axis, as codes say it
  drawn.values = numbers;
  std::sort(drawn.values.begin(), drawn.values.end());
  drawn.values.erase(std::unique(drawn.values.begin(), drawn.values.end()), drawn.values.end());
  for (const double number : numbers)
    drawn.places.push_back(static_cast<std::size_t>(std::lower_bound(drawn.values.begin(), drawn.values.end(), number) -
                                                    drawn.values.begin()));
  return drawn;
}

std::string label_of(const DrawnColumn& drawn, double value) {
  if (!drawn.is_named()) return input_with_unit(value, drawn.column->units);
  const auto code = static_cast<std::size_t>(std::max(value, 0.0));
  return value < 0.0 || code >= drawn.cells.names.size() ? "none" : printable(drawn.cells.names[code]);
}

std::vector<std::string> labels_of(const DrawnColumn& drawn) {
  std::vector<std::string> labels;
  for (const double value : drawn.values) labels.push_back(label_of(drawn, value));
  return labels;
}

std::vector<DrawnColumn> drawn_columns(const ShownResult& shown, const std::vector<const DatasetColumn*>& columns) {
  std::vector<DrawnColumn> drawn;
  for (const DatasetColumn* column : columns) drawn.push_back(drawn_column(shown, *column));
  return drawn;
}

/// The first axis of names that varies, but not too much for colours.
std::optional<DrawnColumn> colouring_axis(const ShownResult& shown) {
  for (const DatasetColumn* axis : axis_columns(*shown.file)) {
    if (value_names(*shown.file, *axis).empty()) continue;
    DrawnColumn drawn = drawn_column(shown, *axis);
    if (drawn.values.size() > 1 && drawn.values.size() <= most_colours) return drawn;
  }
  return std::nullopt;
}

/// All rows that count, at their values of two metrics.
ChartSeries all_rows(const ShownResult& shown, const RowCondition& condition) {
  ChartSeries cloud{.name = "other rows", .mark = Mark::cloud, .points = {}};
  const auto& metrics = shown.question->metrics;
  const DatasetColumn* columns[] = {metrics[0], metrics[1], shown.file->column("status")};
  scan_rows(*shown.file, columns, condition.filter, [&](const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size(); ++i)
      if (chunk.kept[i] != 0 && (condition.names_status || chunk.values[2][i] == 0.0))
        cloud.points.push_back({chunk.values[0][i], chunk.values[1][i]});
  });
  return cloud;
}

std::string front_svg(const ShownResult& shown, const RowCondition& condition) {
  const DrawnColumn x = drawn_column(shown, *shown.question->metrics[0]);
  const DrawnColumn y = drawn_column(shown, *shown.question->metrics[1]);
  LineChart chart{.title = answer_title(shown), .x = x.quantity(), .y = y.quantity(), .series = {}};
  chart.series.push_back(all_rows(shown, condition));
  const bool is_plane = shown.question->metrics.size() == 2;
  const bool is_low = better_of(*x.column) == Better::lower;
  const std::size_t shown_rows = shown.answer.rows.size();
  const bool is_whole = shown_rows == shown.answer.on_front;
  ChartSeries front{.name = is_whole ? "Pareto front" : fmt::format("first {} rows of the front", shown_rows),
                    .mark = !is_plane ? Mark::dots
                            : is_low  ? Mark::steps_of_low
                                      : Mark::steps_of_high,
                    .points = {}};
  for (std::size_t row = 0; row < x.cells.numbers.size(); ++row)
    front.points.push_back({x.cells.numbers[row], y.cells.numbers[row]});
  chart.series.push_back(front);
  if (const std::optional<DrawnColumn> axis = colouring_axis(shown))
    for (std::size_t place = 0; place < axis->values.size(); ++place) {
      ChartSeries dots{.name = label_of(*axis, axis->values[place]), .mark = Mark::dots, .points = {}};
      for (std::size_t row = 0; row < front.points.size(); ++row)
        if (axis->places[row] == place) dots.points.push_back(front.points[row]);
      chart.series.push_back(std::move(dots));
    }
  return line_chart_svg(chart);
}

/// The metric along an axis of numbers: one line, or one for each name of another axis.
std::string lines_svg(const ShownResult& shown, const DrawnColumn& along, const DrawnColumn* names,
                      const DrawnColumn& metric) {
  LineChart chart{.title = answer_title(shown), .x = along.quantity(), .y = metric.quantity(), .series = {}};
  const std::size_t lines = names == nullptr ? 1 : names->values.size();
  for (std::size_t line = 0; line < lines; ++line) {
    ChartSeries series{
        .name = names == nullptr ? "" : label_of(*names, names->values[line]), .mark = Mark::line, .points = {}};
    for (std::size_t row = 0; row < metric.cells.numbers.size(); ++row)
      if (names == nullptr || names->places[row] == line)
        series.points.push_back({along.cells.numbers[row], metric.cells.numbers[row]});
    chart.series.push_back(std::move(series));
  }
  return line_chart_svg(chart);
}

std::string map_svg(const ShownResult& shown, const DrawnColumn& down, const DrawnColumn& across,
                    const DrawnColumn& metric) {
  if (down.values.size() * across.values.size() > most_cells)
    throw UsageError(fmt::format("--plot: {} x {} cells are too many to draw (at most {}). Select fewer with --where.",
                                 down.values.size(), across.values.size(), most_cells));
  HeatMap chart{.title = answer_title(shown),
                .value = metric.quantity(),
                .x_name = printable(across.column->name),
                .y_name = printable(down.column->name),
                .columns = labels_of(across),
                .rows = labels_of(down),
                .cells = {}};
  chart.cells.assign(down.values.size(), std::vector<double>(across.values.size(), absent));
  for (std::size_t row = 0; row < metric.cells.numbers.size(); ++row)
    chart.cells[down.places[row]][across.places[row]] = metric.cells.numbers[row];
  return heat_map_svg(chart);
}

/// One bar for a row, named by its group, and by the axes that vary where a group has several rows.
std::string bars_svg(const ShownResult& shown, const std::vector<DrawnColumn>& by, const DrawnColumn& metric) {
  const std::size_t count = shown.answer.rows.size();
  if (count > most_bars)
    throw UsageError(fmt::format(
        "--plot: {} bars are too many to draw (at most {}). Show fewer rows with --top or --where.", count, most_bars));
  std::vector<DrawnColumn> naming = by;
  if (by.empty() || shown.question->top > 1)
    for (DrawnColumn& axis : drawn_columns(shown, axis_columns(*shown.file))) {
      const auto is_same = [&](const DrawnColumn& one) { return one.column == axis.column; };
      if (axis.values.size() > 1 && std::none_of(by.begin(), by.end(), is_same)) naming.push_back(std::move(axis));
    }
  const bool is_coloured = !by.empty() && naming.size() > 1 && by.front().values.size() <= most_colours;
  BarChart chart{.title = answer_title(shown), .value = metric.quantity(), .groups = {}, .bars = {}};
  if (is_coloured) chart.groups = labels_of(by.front());
  for (std::size_t row = 0; row < count; ++row) {
    std::string label;
    for (const DrawnColumn& axis : naming)
      label += (label.empty() ? "" : ", ") + label_of(axis, axis.cells.numbers[row]);
    if (naming.empty())
      label = fmt::format("point {}", drawn_column(shown, *shown.file->column("point")).cells.wholes[row]);
    chart.bars.push_back({label, metric.cells.numbers[row], is_coloured ? by.front().places[row] : 0});
  }
  return bar_chart_svg(chart);
}

bool is_numeric_axis(const DrawnColumn& axis) {
  return !axis.is_named() && axis.values.size() > 1;
}

}  // namespace

std::string plot_svg(const ShownResult& shown, const RowCondition& condition) {
  if (shown.answer.rows.empty() || shown.question->kind == ShownQuestion::Kind::first)
    throw UsageError("--plot: there is nothing to draw, no row has a value.");
  if (shown.question->kind == ShownQuestion::Kind::pareto) return front_svg(shown, condition);
  const std::vector<DrawnColumn> by = drawn_columns(shown, shown.question->by);
  const DrawnColumn metric = drawn_column(shown, *shown.question->metrics.front());
  if (shown.question->top != 1) return bars_svg(shown, by, metric);
  if (by.size() == 1 && is_numeric_axis(by[0])) return lines_svg(shown, by[0], nullptr, metric);
  if (by.size() == 2) {
    for (const std::size_t a : {std::size_t{0}, std::size_t{1}})
      if (is_numeric_axis(by[a]) && by[1 - a].is_named() && by[1 - a].values.size() <= most_lines)
        return lines_svg(shown, by[a], &by[1 - a], metric);
    if (by[0].values.size() > 1 && by[1].values.size() > 1) return map_svg(shown, by[0], by[1], metric);
  }
  return bars_svg(shown, by, metric);
}

}  // namespace dfsweep
