#include "engine/growth/stored_estimates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/dataset/row_columns.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Rows that are read although they are not wanted, to read others before and after them at once.
constexpr std::uint64_t largest_gap = 64;

}  // namespace

StoredEstimates::StoredEstimates(const DatasetReader& file, const SweepSpec& former, const SweepSpec& wanted)
    : file_(&file), status_(file.column("status")) {
  DFSWEEP_EXPECT(status_ != nullptr);
  const std::vector<std::string>& names = file.labels(*status_);
  statuses_ = static_cast<std::size_t>(std::find(names.begin(), names.end(), "missing") - names.begin());
  const Estimator& estimator = *wanted.estimator;
  columns_.assign(estimator.metrics().size(), nullptr);
  const std::vector<MetricIndex>& written = former.metrics;
  // Metrics follow the status in the order of the table; their names may have a suffix, and joined columns follow them.
  const DatasetColumn* first = status_ + 1;
  for (const MetricIndex metric : wanted.metrics) {
    const auto found = std::lower_bound(written.begin(), written.end(), metric);
    if (found != written.end() && *found == metric)
      columns_[metric] = first + (found - written.begin());
    else if (estimator.applies(metric, former.values))
      throw NoGrowth(fmt::format("it does not have the metric {}", estimator.metrics()[metric].name));
  }
}

void StoredEstimates::read(std::span<const RowOfPoint> rows, EstimateBuffer& estimates,
                           std::span<std::uint8_t> is_found) const {
  const std::uint64_t first = rows.front().row;
  std::vector<double> values(rows.back().row - first + 1);
  for (MetricIndex m = 0; m < estimates.metrics.size(); ++m) {
    std::vector<double>& column = estimates.metrics[m];
    if (column.empty()) continue;
    const DatasetColumn* stored = columns_[m];
    if (stored == nullptr) {
      for (const RowOfPoint& one : rows) column[one.point] = absent;
      continue;
    }
    file_->read(*stored, first, std::span(values));
    const bool is_flag = stored->type == ElementType::uint8;
    for (const RowOfPoint& one : rows) {
      const double value = values[one.row - first];
      column[one.point] = is_flag && value == absent_flag ? absent : value;
    }
  }
  file_->read(*status_, first, std::span(values));
  for (const RowOfPoint& one : rows) {
    const auto status = static_cast<std::uint8_t>(values[one.row - first]);
    estimates.status[one.point] = status;
    is_found[one.point] = status < statuses_ ? 1 : 0;
  }
}

std::vector<std::span<const RowOfPoint>> stretches_of(std::vector<RowOfPoint>& rows,
                                                      std::span<const RowRange> complete) {
  const auto range_of = [&](std::uint64_t row) {
    return std::upper_bound(complete.begin(), complete.end(), row,
                            [](std::uint64_t one, const RowRange& range) { return one < range.first + range.count; });
  };
  std::erase_if(rows, [&](const RowOfPoint& one) {
    const auto range = range_of(one.row);
    return range == complete.end() || one.row < range->first;
  });
  std::vector<std::span<const RowOfPoint>> stretches;
  for (std::size_t begin = 0; begin < rows.size();) {
    const RowRange& range = *range_of(rows[begin].row);
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end].row - rows[end - 1].row <= largest_gap &&
           rows[end].row < range.first + range.count)
      ++end;
    stretches.push_back(std::span<const RowOfPoint>(rows).subspan(begin, end - begin));
    begin = end;
  }
  return stretches;
}

}  // namespace dfsweep
