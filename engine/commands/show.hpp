/// `dfsweep show FILE|DIR`: what a result file holds, and the rows that answer a question, as a table or JSON.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct ShowOptions {
  std::filesystem::path path;       ///< result file or run directory
  std::string best;                 ///< metric to rank by; empty: the first metric with a direction, after a summary
  std::vector<std::string> by;      ///< one ranking for every combination of values of these parameters
  std::string where;                ///< muParser expression over columns and fixed parameters; empty: every row
  std::size_t top = 0;              ///< rows per ranking; 0: one with `by`, else ten
  std::vector<std::string> pareto;  ///< metrics of a Pareto front; empty: none
  enum class Ties : std::uint8_t { all, one };
  Ties ties = Ties::all;             ///< one: of rows whose values are nearly equal, the first
  std::vector<std::string> columns;  ///< columns to print, in this order; empty: axes and the first metrics
  enum class Listing : std::uint8_t {
    rows,
    whole_rows,  ///< with every metric
    columns,     ///< name, unit and meaning of every column instead of rows
    rejections   ///< points that a search tried, by status, for each reported point
  };
  Listing listing = Listing::rows;
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
  std::vector<std::string> sensitivity;  ///< metrics: what changes them most at the first rows; empty: not asked
  std::filesystem::path plot;            ///< SVG file for a chart of the rows; empty: none
};

/// Throws UsageError (unknown column, malformed expression), BadDataset, ForeignRun, IoError.
[[nodiscard]] ExitStatus run_show(const ShowOptions& options);

}  // namespace dfsweep
