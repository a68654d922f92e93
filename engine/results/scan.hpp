/// Analysis: the complete rows of a result file visited chunk by chunk, only the columns that a question needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// Which rows count. Values of categorical columns are codes; no value is NaN, also if the file stores another filler.
struct RowFilter {
  std::vector<const DatasetColumn*> columns;  ///< what `keep` wants to see
  /// Sets `kept` to 0 where a row does not count; `values`: [column of `columns`][row]. Empty: every row counts.
  std::function<void(std::span<const std::span<const double>> values, std::span<std::uint8_t> kept)> keep;
};

/// Some consecutive rows of a scan.
struct RowChunk {
  std::uint64_t first_row = 0;
  std::span<const std::uint8_t> kept;               ///< [row] 0: does not count
  std::span<const std::span<const double>> values;  ///< [column asked for][row]
};

/// How many rows an answer looked at, and which it could not use.
struct RowCounts {
  std::uint64_t considered = 0;                ///< rows that count
  std::array<std::uint64_t, 256> not_ok = {};  ///< [status code] of these, left out because their status is not ok
  std::uint64_t no_value = 0;                  ///< of the others, without a value of a metric asked about
};

/// Calls `visit` for all complete rows, ascending. A column may be asked for twice.
void scan_rows(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter,
               const std::function<void(const RowChunk&)>& visit);

/// The first `count` rows that count.
[[nodiscard]] std::vector<std::uint64_t> first_rows(const DatasetReader& file, const RowFilter& filter,
                                                    std::size_t count);

/// Which direction of a metric is better, as the file says; neither for other columns.
[[nodiscard]] Better better_of(const DatasetColumn& column);
/// "lower", "higher" or "neither".
[[nodiscard]] std::string_view direction_name(Better better);

/// Whether a column holds a metric (not the point, a rank, the status or an axis).
[[nodiscard]] bool is_metric(const DatasetReader& file, const DatasetColumn& column);

/// The parameters that have columns, in file order.
[[nodiscard]] std::vector<const DatasetColumn*> axis_columns(const DatasetReader& file);
[[nodiscard]] std::vector<const DatasetColumn*> metric_columns(const DatasetReader& file);

/// Distinct values of a column in ascending order and the code (place in that order) of any of them.
class ValueCodes {
 public:
  explicit ValueCodes(std::vector<double> ascending);
  [[nodiscard]] std::span<const double> values() const { return values_; }
  /// Pre: `value` is one of values().
  [[nodiscard]] std::uint32_t code(double value) const;

 private:
  std::vector<double> values_;
  bool are_codes_ = false;  ///< values are 0, 1, 2, ...
};

/// Distinct values of the counting rows, ascending, without NaN and negative codes; gives up above `limit` and then
/// returns `limit` + 1 of them.
[[nodiscard]] std::vector<double> distinct_values(const DatasetReader& file, const DatasetColumn& column,
                                                  const RowFilter& filter, std::size_t limit);

}  // namespace dfsweep
