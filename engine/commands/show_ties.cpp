/// Ties of `show`: the margin of winners beside their expected error, and rows that only repeat others.
#include <algorithm>
#include <cmath>

#include "engine/commands/show_output.hpp"
#include "engine/results/ties.hpp"

namespace dfsweep {

namespace {

/// Places of the first row of each group, and the end.
std::vector<std::size_t> group_bounds(const DatasetReader& file, const std::vector<const DatasetColumn*>& by,
                                      const std::vector<std::uint64_t>& rows) {
  std::vector<RowCells> cells;
  for (const DatasetColumn* column : by) cells.push_back(read_cells(file, *column, rows));
  std::vector<std::size_t> bounds{0};
  for (std::size_t row = 1; row < rows.size(); ++row)
    if (std::any_of(cells.begin(), cells.end(),
                    [row](const RowCells& column) { return column.numbers[row] != column.numbers[row - 1]; }))
      bounds.push_back(row);
  if (!rows.empty()) bounds.push_back(rows.size());
  return bounds;
}

/// Whether the rows are nearly equal in all these columns.
bool are_alike(const std::vector<RowCells>& columns, std::size_t a, std::size_t b) {
  return std::all_of(columns.begin(), columns.end(), [a, b](const RowCells& column) {
    return std::abs(column.numbers[a] - column.numbers[b]) <= nearly_equal * std::abs(column.numbers[b]);
  });
}

}  // namespace

std::vector<ShownRanking> rankings_of(const DatasetReader& file, const ShownQuestion& question,
                                      const std::vector<std::uint64_t>& rows) {
  if (question.kind != ShownQuestion::Kind::best || rows.empty()) return {};
  const DatasetColumn& metric = *question.metrics.front();
  const RowCells values = read_cells(file, metric, rows);
  if (values.numbers.empty()) return {};
  const DatasetColumn* error_column = expected_error_of(file, metric);
  const RowCells errors = error_column != nullptr ? read_cells(file, *error_column, rows) : RowCells();
  const std::vector<std::size_t> bounds = group_bounds(file, question.by, rows);
  std::vector<ShownRanking> rankings;
  for (std::size_t g = 0; g + 1 < bounds.size(); ++g) {
    const std::span of_group = std::span(values.numbers).subspan(bounds[g], bounds[g + 1] - bounds[g]);
    ShownRanking ranking{.first = bounds[g], .rows = of_group.size()};
    if (error_column != nullptr) ranking.error = errors.numbers[bounds[g]];
    ranking.tied = tied_values(of_group, ranking.error);
    if (of_group.size() > 1 && of_group[0] != 0.0) ranking.margin = std::abs(of_group[1] / of_group[0] - 1.0);
    rankings.push_back(ranking);
  }
  return rankings;
}

std::vector<std::uint64_t> one_per_tie(const DatasetReader& file, const ShownQuestion& question,
                                       const std::vector<std::uint64_t>& rows) {
  if (rows.empty()) return rows;
  std::vector<std::uint64_t> kept;
  std::vector<RowCells> metrics;
  for (const DatasetColumn* metric : question.metrics) metrics.push_back(read_cells(file, *metric, rows));
  if (metrics.front().numbers.empty()) return rows;
  if (question.kind == ShownQuestion::Kind::pareto) {
    std::vector<std::size_t> places;  // a front is sorted by its first metric
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (places.empty() || !are_alike(metrics, row, places.back())) places.push_back(row);
    for (const std::size_t place : places) kept.push_back(rows[place]);
    return kept;
  }
  const std::vector<std::size_t> bounds = group_bounds(file, question.by, rows);
  for (std::size_t g = 0; g + 1 < bounds.size(); ++g) {
    const std::span of_group = std::span(metrics.front().numbers).subspan(bounds[g], bounds[g + 1] - bounds[g]);
    std::vector<std::size_t> places = places_of_unlike(of_group);
    if (places.size() > question.top) places.resize(question.top);
    for (const std::size_t place : places) kept.push_back(rows[bounds[g] + place]);
  }
  return kept;
}

}  // namespace dfsweep
