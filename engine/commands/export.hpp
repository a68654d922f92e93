/// `dfsweep export FILE|DIR --format csv -o OUT`: the complete rows of a result file for programs that read text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

struct ExportOptions {
  std::filesystem::path path;          ///< result file or run directory
  std::filesystem::path output = "-";  ///< "-": standard output
  std::vector<std::string> columns;    ///< in this order; empty: all
  std::string where;                   ///< rows for which it holds; empty: every row
  Verbosity verbosity = Verbosity::normal;
};

/// The first line names the columns as the dataset does; labels and statuses are written as text, no value as nothing.
/// A file is replaced as a whole or not at all. Throws UsageError, BadDataset, ForeignRun, IoError.
[[nodiscard]] ExitStatus run_export(const ExportOptions& options);

}  // namespace dfsweep
