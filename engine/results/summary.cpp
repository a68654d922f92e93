/// Summarizes a result file in one pass over status and metrics.
#include "engine/results/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/results/result_rows.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

std::string status_name(const std::vector<std::string>& names, std::size_t code) {
  return code < names.size() && !names[code].empty() ? names[code] : "status " + std::to_string(code);
}

}  // namespace

std::optional<std::vector<std::uint64_t>> searched_points(const DatasetReader& file) {
  const auto& columns = file.group_columns();
  const auto rejections = std::find_if(columns.begin(), columns.end(),
                                       [](const DatasetColumn& column) { return column.name == "rejections"; });
  if (rejections == columns.end()) return std::nullopt;
  std::vector<std::uint64_t> counts(rejections->width);
  std::vector<std::uint64_t> values(rejections->width);
  const std::uint64_t rows_per_group = file.row_count() / rejections->count;
  for (const RowRange& range : file.complete())
    for (std::uint64_t row = range.first; row < range.first + range.count; row += rows_per_group) {
      file.read(*rejections, row / rows_per_group, std::span(values));
      for (std::size_t s = 0; s < values.size(); ++s) counts[s] += values[s];
    }
  return counts;
}

ResultSummary summarize(const DatasetReader& file, const RowFilter& filter) {
  ResultSummary summary;
  std::vector<const DatasetColumn*> columns = {file.column("status")};
  for (const DatasetColumn* metric : metric_columns(file)) {
    columns.push_back(metric);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    summary.metrics.push_back({.column = metric, .least = infinity, .most = -infinity});
  }
  std::array<std::uint64_t, 256> counts{};
  scan_rows(file, columns, filter, [&](const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size(); ++i)
      if (chunk.kept[i] != 0) ++counts[static_cast<std::uint8_t>(chunk.values[0][i])];
    for (std::size_t m = 0; m < summary.metrics.size(); ++m) {
      MetricRange& range = summary.metrics[m];
      for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
        const double value = chunk.values[m + 1][i];
        if (chunk.kept[i] == 0 || chunk.values[0][i] != 0.0 || !is_given(value)) continue;
        ++range.with_value;
        range.least = std::min(range.least, value);
        range.most = std::max(range.most, value);
      }
    }
  });
  for (MetricRange& range : summary.metrics)
    if (range.with_value == 0) range.least = range.most = absent;
  const std::vector<std::string> names = value_names(file, *columns.front());
  for (std::size_t code = 0; code < counts.size(); ++code) {
    summary.rows += counts[code];
    if (counts[code] != 0) summary.statuses.push_back({status_name(names, code), counts[code]});
  }
  if (file.complete_count() == file.row_count() && !filter.keep)
    if (const auto searched = searched_points(file))
      for (std::size_t code = 0; code < searched->size(); ++code)
        if ((*searched)[code] != 0) summary.searched.push_back({status_name(names, code), (*searched)[code]});
  for (const DatasetColumn* axis : axis_columns(file))
    summary.axes.push_back({axis, value_names(file, *axis), distinct_values(file, *axis, filter, counted_axis_values)});
  return summary;
}

}  // namespace dfsweep
