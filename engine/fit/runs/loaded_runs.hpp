/// Training runs in memory, one by one, with their places in the files.
#pragma once

#include <vector>

#include "engine/fit/runs/run_input.hpp"
#include "models/law_fits/runs/seed_noise.hpp"

namespace dfsweep::fit {

struct LoadedRuns {
  law_fits::TrainingRuns runs;  ///< dense before MoE, else as written
  std::vector<RunPlace> place;  ///< [run]
  RunFindings findings;
  std::vector<double> step_time = {};               ///< [run] s, NaN where not measured; empty: of no run
  std::vector<law_fits::SeedRepeats> repeats = {};  ///< runs that are medians of several seeds, ascending
};

/// Reads everything on `threads` threads. Throws UserError where a line is malformed or no run is left.
[[nodiscard]] LoadedRuns load_runs(const RunInput& input, unsigned threads);

/// Loss over the least of its group, above which a run counts as diverged.
inline constexpr double diverged_rel = 0.2;

}  // namespace dfsweep::fit
