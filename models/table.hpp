/// Table: a CSV file of measurements in memory, stored by columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

struct TableColumn {
  std::string name;
  std::vector<double> numbers;     ///< [row] NaN where the cell is empty or not a number
  std::vector<std::string> texts;  ///< [row]; empty where every cell is a number or empty
};

struct Table {
  std::string path;  ///< relative to the data folder, '/'-separated
  std::vector<TableColumn> columns;
  std::vector<std::size_t> lines;  ///< line of each row in the file, for messages

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  /// The column with this name, or null.
  [[nodiscard]] const TableColumn* column(std::string_view name) const {
    for (const TableColumn& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
};

}  // namespace dfsweep
