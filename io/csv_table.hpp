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
  std::vector<double> numbers;  ///< [row] NaN if the cell is empty or not a number ("nan" and "inf" are not)
  /// [row] cells that are neither empty nor numbers, else ""; no rows if there is no such cell
  std::vector<std::string> texts;
};

struct CsvTable {
  std::vector<CsvColumn> columns;
  std::vector<std::size_t> lines;  ///< [row] line in the file, from 1
};

/// Reads all remaining lines; malformed ones are recorded in reader.problems().
[[nodiscard]] CsvTable read_csv_table(CsvReader& reader);

/// Whether the text is a pointer file of Git Large File Storage instead of the data.
[[nodiscard]] bool is_git_lfs_pointer(std::string_view text);

}  // namespace dfsweep
