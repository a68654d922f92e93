/// Reads files of measurements as tables, and maps problems in tables to positions in files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/csv_table.hpp"
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"
#include "models/table.hpp"

namespace dfsweep {

struct DataTables {
  std::vector<Table> tables;      ///< sorted by path
  std::vector<InputFile> inputs;  ///< one per readable file, "profiles/a100/mlp.csv"
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
};

/// Reads the CSV files at or below `place.path` on `threads` threads. `files`: file names to read in a folder; empty:
/// all. Pre: the path exists.
[[nodiscard]] DataTables read_data_tables(const DataPlace& place, std::span<const std::string_view> files,
                                          unsigned threads);

/// Converts a CSV file to a table; `path`: see Table::path.
[[nodiscard]] Table as_table(std::string path, CsvTable read);

/// Converts problems in tables to problems with positions in files.
[[nodiscard]] std::vector<Problem> located(std::span<const DataProblem> problems, std::span<const DataPlace> places);

}  // namespace dfsweep
