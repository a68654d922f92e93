/// Summary of a result file: rows by status, axis values, and the range of every metric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct StatusCount {
  std::string name;
  std::uint64_t rows = 0;
};

/// Limit of listed values of an axis; above it, one more is kept as a sign that the list is cut.
inline constexpr std::size_t counted_axis_values = 10000;

struct AxisValues {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;  ///< by code; empty if values are numbers
  std::vector<double> values;      ///< distinct values or codes of the selected rows, ascending
};

struct MetricRange {
  const DatasetColumn* column = nullptr;
  double least = 0.0;  ///< NaN if no row has a value
  double most = 0.0;
  std::uint64_t with_value = 0;  ///< number of rows with a value
};

struct ResultSummary {
  std::uint64_t rows = 0;             ///< number of selected rows
  std::vector<AxisValues> axes;       ///< in file order
  std::vector<StatusCount> statuses;  ///< statuses that occur, by code
  std::vector<MetricRange> metrics;   ///< of ok rows, in file order
  /// Evaluated points of the search by status; here StatusCount::rows counts points. Empty without a search, if rows
  /// are missing, and with a condition (conditions select rows, not points).
  std::vector<StatusCount> searched;
};

/// [status code] number of evaluated points of the search; nothing without a search. Pre: all rows are complete.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> searched_points(const DatasetReader& file);

/// Pre: the file has a status column.
[[nodiscard]] ResultSummary summarize(const DatasetReader& file, const RowFilter& filter);

}  // namespace dfsweep
