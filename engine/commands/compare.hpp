/// `dfsweep compare FILE|DIR ROWS.csv`: how far a result is from measurements.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct CompareOptions {
  std::filesystem::path path;  ///< result file or run directory
  std::filesystem::path rows;  ///< CSV or JSON lines; "-": standard input
  std::string columns;         ///< names of columns: "step_time=Step Time,..."
  std::string group;           ///< column whose values are compared apart; empty: `group` or `source`
  std::string metric;          ///< only this one; empty: every one that was measured
  std::size_t worst = 5;       ///< rows that are farthest away
  std::filesystem::path plot;  ///< SVG; empty: none
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
};

/// Throws UserError, UsageError, BadDataset, ForeignRun, NotReady, IoError.
[[nodiscard]] ExitStatus run_compare(const CompareOptions& options);

}  // namespace dfsweep
