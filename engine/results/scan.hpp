/// Analysis: visits the complete rows of a result file in chunks; reads only the columns that a query needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// Selects rows. Values of categorical columns are codes; a missing value is NaN, whatever fill value the file has.
struct RowFilter {
  std::vector<const DatasetColumn*> columns;  ///< arguments of `keep`
  /// Sets `kept` to 0 for rows that are not selected; `values`: [column of `columns`][row]. Empty: selects every row.
  std::function<void(std::span<const std::span<const double>> values, std::span<std::uint8_t> kept)> keep;
};

/// Consecutive rows of a scan.
struct RowChunk {
  std::uint64_t first_row = 0;
  std::span<const std::uint8_t> kept;               ///< [row] 0: not selected
  std::span<const std::span<const double>> values;  ///< [requested column][row]
};

/// Counts of the rows of a query.
struct RowCounts {
  std::uint64_t considered = 0;  ///< selected rows
  std::array<std::uint64_t, 256> not_ok =
      {};                      ///< [status code] selected rows that are ignored because their status is not ok
  std::uint64_t no_value = 0;  ///< selected ok rows without a value of a requested metric
};

/// All complete rows, ascending, chunk by chunk.
class RowScan {
 public:
  /// `columns` may contain duplicates. Pre: `file` and `filter` outlive the scan.
  RowScan(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter);
  RowScan(RowScan&&) noexcept;
  RowScan& operator=(RowScan&&) noexcept;
  ~RowScan();
  /// Valid until the next call; nothing after the last row. Throws BadDataset if a checksum does not match.
  [[nodiscard]] std::optional<RowChunk> next();

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

/// Calls `visit` for all complete rows, ascending. `columns` may contain duplicates.
void scan_rows(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter,
               const std::function<void(const RowChunk&)>& visit);

/// The first `count` selected rows.
[[nodiscard]] std::vector<std::uint64_t> first_rows(const DatasetReader& file, const RowFilter& filter,
                                                    std::size_t count);

/// The better direction of a metric, from the file; neither for other columns.
[[nodiscard]] Better better_of(const DatasetColumn& column);
/// "lower", "higher" or "neither".
[[nodiscard]] std::string_view direction_name(Better better);

/// Whether a column is a metric (not point, rank, status or an axis).
[[nodiscard]] bool is_metric(const DatasetReader& file, const DatasetColumn& column);

/// Columns of parameters, in file order.
[[nodiscard]] std::vector<const DatasetColumn*> axis_columns(const DatasetReader& file);
[[nodiscard]] std::vector<const DatasetColumn*> metric_columns(const DatasetReader& file);

/// Distinct values of a column, ascending, and the code (index) of each.
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

/// Distinct values of the selected rows, ascending, without NaN and negative codes. Stops above `limit` and then
/// returns `limit` + 1 values.
[[nodiscard]] std::vector<double> distinct_values(const DatasetReader& file, const DatasetColumn& column,
                                                  const RowFilter& filter, std::size_t limit);

}  // namespace dfsweep
