/// Reads one file of measured operators as tables, in blocks on several threads.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/operators/operator_layouts.hpp"
#include "io/diagnostic.hpp"
#include "models/operators/operator_table.hpp"

namespace dfsweep::operators {

struct OperatorFile {
  std::vector<OperatorTable> tables;  ///< in the order of their first rows
  std::vector<Problem> problems;      ///< with file, line and column; at most max_csv_problems
};

/// Reads the rows of one layout. A row takes four bytes for each key and four for its time; while a file is read, some
/// blocks of text are in memory besides. Columns `system`, `backend` and `version` may be missing where the folders
/// above say them: SYSTEM/FAMILY/BACKEND/VERSION/FILE. Tables do not depend on the number of threads. A file of more
/// than 10 000 tables is a problem, and rows that follow a problem are not kept. Throws UserError where there is no
/// header, IoError.
[[nodiscard]] OperatorFile read_operator_file(const std::filesystem::path& path, const OperatorLayout& layout,
                                              unsigned threads);

}  // namespace dfsweep::operators
