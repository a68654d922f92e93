/// The three renderings of tables: JSON, columns of an HDF5 file, text.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "engine/tables/table.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// A row as an object: results with full precision, in the order of the columns; empty cells are left out.
[[nodiscard]] JsonObject row_json(const DataTable& table, std::size_t row);
/// All rows.
[[nodiscard]] JsonArray rows_json(const DataTable& table);
/// The rows of a table below those of another: for each row of that one a list, which may be empty.
[[nodiscard]] std::vector<JsonArray> lists_below(const DataTable& children, std::size_t parents);
/// The same as a member of that name in each of `parents`.
void nest(JsonArray& parents, const std::string& name, const DataTable& children);
/// Rows from `begin` to `end` as one list for each column.
[[nodiscard]] JsonObject lists_json(const DataTable& table, std::size_t begin, std::size_t end);

/// Columns of doubles and texts, without those for views; an interval is a column of two numbers per row.
[[nodiscard]] TableFileTable file_table(const DataTable& table);

/// The columns of a table that say how a text shows them. `most`: rows.
[[nodiscard]] std::vector<TextColumn> text_columns(const DataTable& table,
                                                   std::size_t most = std::numeric_limits<std::size_t>::max());

/// A column of a view, by its name in the table.
struct ShownColumn {
  ShownColumn(std::string name, std::string heading, int weight = 0, NumberText number = significant(4),
              std::string empty = {})
      : column(std::move(name)), look{std::move(heading), weight, std::move(number), std::move(empty)} {}
  std::string column;
  ColumnLook look;
};

/// The first `most` rows of a view with what did not fit; nothing where there are none.
[[nodiscard]] std::string view_text(const DataTable& table, std::span<const ShownColumn> view, const Terminal& terminal,
                                    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace dfsweep
