/// `dfsweep join RESULT ROWS.csv -o OUT.h5`: measured rows as columns of a copy of a result.
#pragma once

#include <filesystem>
#include <string>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

struct JoinOptions {
  std::filesystem::path path;    ///< result file or run directory, published
  std::filesystem::path rows;    ///< CSV or JSON lines; "-": standard input
  std::filesystem::path output;  ///< result file to write
  std::string columns;           ///< names of columns: "step_time=Step Time,..."
  OutputForm form = OutputForm::text;
};

/// For each measured metric M the columns measured_M (the mean of the measurements of a row), measured_M_runs and
/// M_error (M over measured_M, minus 1). A measurement belongs to the row that `compare` compares it with. Throws
/// UserError, UsageError, BadDataset, ForeignRun, NotReady, IoError.
[[nodiscard]] ExitStatus run_join(const JoinOptions& options);

}  // namespace dfsweep
