/// What is in a result file: how many rows of which status, and the range of every metric.
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

/// Values of an axis are listed up to this many; of more, only one more is kept.
inline constexpr std::size_t counted_axis_values = 10000;

struct AxisValues {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;  ///< by code; empty if values are numbers
  std::vector<double> values;      ///< distinct values or codes of rows that count, ascending
};

struct MetricRange {
  const DatasetColumn* column = nullptr;
  double least = 0.0;  ///< NaN if no row has a value
  double most = 0.0;
  std::uint64_t with_value = 0;  ///< rows whose value is a number
};

struct ResultSummary {
  std::uint64_t rows = 0;             ///< rows that count
  std::vector<AxisValues> axes;       ///< in file order
  std::vector<StatusCount> statuses;  ///< by code, those that occur
  std::vector<MetricRange> metrics;   ///< of ok rows, in file order
  /// Points of the searched space by status, those that occur; `rows` counts points. Empty without a search, while rows
  /// are missing, and with a condition, which speaks of rows.
  std::vector<StatusCount> searched;
};

/// [status code] how many points the search tried that had it; nothing without a search. Pre: all rows are complete.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> searched_points(const DatasetReader& file);

/// Pre: the file has a status column.
[[nodiscard]] ResultSummary summarize(const DatasetReader& file, const RowFilter& filter);

}  // namespace dfsweep
