/// `dfsweep export FILE|DIR --format csv -o OUT`: the complete rows of a result file for programs that read text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

enum class ExportForm : std::uint8_t {
  table,   ///< columns as the dataset has them
  points,  ///< a point list: the parameters that vary, spelled as in a sweep file, of the rows that name a point
};

struct ExportOptions {
  std::filesystem::path path;          ///< result file or run directory
  std::filesystem::path output = "-";  ///< "-": standard output
  std::vector<std::string> columns;    ///< in this order; empty: all
  std::string where;                   ///< rows for which it holds; empty: every row
  std::string best;                    ///< metric: only the `top` best rows by it; empty: all rows
  std::size_t top = 100;
  ExportForm form = ExportForm::table;
  Verbosity verbosity = Verbosity::normal;
};

/// The first line names the columns as the dataset does; labels and statuses are written as text, no value as nothing.
/// Rows are in the order of the file.
/// A file is replaced as a whole or not at all. Throws UsageError, BadDataset, ForeignRun, IoError.
[[nodiscard]] ExitStatus run_export(const ExportOptions& options);

}  // namespace dfsweep
