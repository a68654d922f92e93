/// Columns of a result file by name, and cells of rows as text or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"
#include "models/result_views.hpp"

namespace dfsweep {

/// The column called `name`. Throws UsageError with a suggestion; `option`: the option with the name, for the message.
[[nodiscard]] const DatasetColumn& column_named(const DatasetReader& file, std::string_view name,
                                                std::string_view option);

/// What the estimator of a result shows first; empty where this program does not have the estimator.
[[nodiscard]] ResultViews views_of(const DatasetReader& file);

/// [code] names of the codes of a column: labels of a categorical column, or flags ("" for a code without a name).
/// Empty if the values are numbers.
[[nodiscard]] std::vector<std::string> value_names(const DatasetReader& file, const DatasetColumn& column);

/// The stored value that means "no value", if the column has one other than NaN.
[[nodiscard]] std::optional<double> fill_value(const DatasetColumn& column);

/// The values of one column in selected rows.
struct RowCells {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;     ///< value_names() of the column
  std::vector<double> numbers;        ///< [row]; NaN: no value
  std::vector<std::uint64_t> wholes;  ///< [row] used instead of `numbers` if the column is uint64
};
[[nodiscard]] RowCells read_cells(const DatasetReader& file, const DatasetColumn& column,
                                  std::span<const std::uint64_t> rows);

/// A label, a number, or null if there is no value.
[[nodiscard]] Json json_cell(const RowCells& cells, std::size_t row);
/// All cells with a common engineering prefix, if that is readable.
[[nodiscard]] TextColumn text_column(const RowCells& cells);
/// One value with its unit: "h100", "8", "3.350 TB/s".
[[nodiscard]] std::string text_cell(const RowCells& cells, std::size_t row);
[[nodiscard]] std::string fixed_value_text(const FixedValue& fixed);

}  // namespace dfsweep
