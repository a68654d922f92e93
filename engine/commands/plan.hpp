/// `dfsweep plan SWEEP`: what a run would do and take; writes nothing.
#pragma once

#include <filesystem>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct PlanOptions {
  std::filesystem::path sweep;              ///< "-": standard input
  std::filesystem::path directory;          ///< of the run, for the free space there; empty: runs/<name of the sweep>
  std::vector<std::filesystem::path> from;  ///< as of RunOptions
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
  SweepReading reading;
};

/// Counts, filters and why, blocks, bytes, and a time estimate from evaluating a sample of points. Throws UserError.
[[nodiscard]] ExitStatus run_plan(const PlanOptions& options);

}  // namespace dfsweep
