/// CsvTable: a whole CSV file as columns of numbers and texts, read fast.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.hpp"

namespace dfsweep {

struct CsvColumn {
  std::string name;
  std::vector<double> numbers;     ///< [row] NaN where the cell is empty or no number; "nan" and "inf" are none
  std::vector<std::string> texts;  ///< [row] cells that are neither empty nor numbers, else ""; no rows without such
};

struct CsvTable {
  std::vector<CsvColumn> columns;
  std::vector<std::size_t> lines;  ///< [row] in the file, from 1
};

/// All lines that `reader` has left; what is wrong with the others is then in reader.problems().
[[nodiscard]] CsvTable read_csv_table(CsvReader& reader);

/// The text is not the file but stands for it: a pointer of Git Large File Storage.
[[nodiscard]] bool is_git_lfs_pointer(std::string_view text);

}  // namespace dfsweep
