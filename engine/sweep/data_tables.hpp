/// Files of measurements as tables, and places in them as positions.
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
  std::vector<InputFile> inputs;  ///< one for each file that could be read, "profiles/a100/mlp.csv"
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
};

/// Reads the CSV files at or below `place.path` on `threads` threads; of a folder only those named in `files`, where
/// there are any. Pre: the path exists.
[[nodiscard]] DataTables read_data_tables(const DataPlace& place, std::span<const std::string_view> files,
                                          unsigned threads);

/// A CSV file as a table; `path` as Table::path.
[[nodiscard]] Table as_table(std::string path, CsvTable read);

/// Problems that an estimator found in tables, at their places in the files.
[[nodiscard]] std::vector<Problem> located(std::span<const DataProblem> problems, std::span<const DataPlace> places);

}  // namespace dfsweep
