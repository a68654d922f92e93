/// Columns of a result file by name, and the cells of some of its rows as text for people or as JSON for programs.
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

namespace dfsweep {

/// The column of that name. Throws UsageError with a suggestion; `option` is what the user wrote the name after.
[[nodiscard]] const DatasetColumn& column_named(const DatasetReader& file, std::string_view name,
                                                std::string_view option);

/// Names of the codes of a column, by code: the labels of a categorical column, the flags of others ("" for a code
/// without a name). Empty if the values are numbers.
[[nodiscard]] std::vector<std::string> value_names(const DatasetReader& file, const DatasetColumn& column);

/// The stored value that stands for none if a column has one beside NaN.
[[nodiscard]] std::optional<double> fill_value(const DatasetColumn& column);

/// One column of a few rows.
struct RowCells {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;     ///< value_names of the column
  std::vector<double> numbers;        ///< [row]; NaN: no value
  std::vector<std::uint64_t> wholes;  ///< [row] instead of `numbers` where the column is uint64
};
[[nodiscard]] RowCells read_cells(const DatasetReader& file, const DatasetColumn& column,
                                  std::span<const std::uint64_t> rows);

/// The value as a label, a number or null.
[[nodiscard]] Json json_cell(const RowCells& cells, std::size_t row);
/// The cells with one engineering prefix for all where that is readable.
[[nodiscard]] TextColumn text_column(const RowCells& cells);
/// One value with its unit: "h100", "8", "3.350 TB/s".
[[nodiscard]] std::string text_cell(const RowCells& cells, std::size_t row);
[[nodiscard]] std::string fixed_value_text(const FixedValue& fixed);

}  // namespace dfsweep
