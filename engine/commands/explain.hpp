/// `dfsweep explain SWEEP|FILE|DIR [--point N]`: everything that the estimator can say about one point.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct ExplainOptions {
  std::filesystem::path path;  ///< sweep file ("-": standard input), result file or run directory
  /// Index in the grid (column `point`), or line of the point list from 0. Without it the best point of a result, and
  /// the only point of a sweep file.
  std::optional<std::uint64_t> point;
  enum class Length : std::uint8_t { short_form, full };
  Length length = Length::short_form;    ///< of the text; JSON is always full
  std::vector<std::string> sensitivity;  ///< metrics whose sensitivity is asked for; empty: none
  std::string launch;                    ///< engine whose command lines are printed instead; empty: none
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
  /// Names of listings of the explanation ("requests") and the CSV files for them.
  std::vector<std::pair<std::string, std::filesystem::path>> listings;
  std::filesystem::path drawing;  ///< file for a picture, .svg or .dot; empty: none
  SweepReading reading;           ///< for sweep files; a result is explained by what is stored in it
};

/// Throws UsageError (no such point or metric, another kind of picture, nothing to draw), UserError, BadDataset,
/// ForeignRun, IoError.
[[nodiscard]] ExitStatus run_explain(const ExplainOptions& options);

}  // namespace dfsweep
