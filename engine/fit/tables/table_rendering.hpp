/// The three renderings of a fit's tables: JSON, columns of an HDF5 file, text.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "engine/fit/tables/fit_table.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep::fit {

/// A row as an object: results with full precision, in the order of the columns; empty cells are left out.
[[nodiscard]] JsonObject row_json(const FitTable& table, std::size_t row);
/// All rows.
[[nodiscard]] JsonArray rows_json(const FitTable& table);
/// The rows of a table below those of another, as a list for each of its rows, maybe an empty one.
[[nodiscard]] std::vector<JsonArray> lists_below(const FitTable& children, std::size_t parents);
/// The same as a member of that name in each of `parents`.
void nest(JsonArray& parents, const std::string& name, const FitTable& children);
/// Rows from `begin` to `end` as one list for each column.
[[nodiscard]] JsonObject lists_json(const FitTable& table, std::size_t begin, std::size_t end);

/// Columns of doubles and texts, without those for views; an interval is a column of two numbers per row.
[[nodiscard]] TableFileTable file_table(const FitTable& table);

/// A number for people; of an interval both ends.
using NumberText = std::function<std::string(double)>;
/// "0.1234", "-" where NaN.
[[nodiscard]] NumberText significant(int digits);
/// "0.12", "-" where NaN.
[[nodiscard]] NumberText decimals(int digits);

/// A column as a text shows it: texts and intervals flush left, the rest flush right.
struct ShownColumn {
  std::string column;  ///< name in the table
  std::string heading;
  int weight = 0;  ///< heavier columns stay where the terminal is narrow
  NumberText number = significant(4);
  std::string empty = {};  ///< instead of an empty cell
};

/// The first `most` rows; nothing where there are none.
[[nodiscard]] std::string view_text(const FitTable& table, std::span<const ShownColumn> view, const Terminal& terminal,
                                    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace dfsweep::fit
