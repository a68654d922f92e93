/// `dfsweep fit batch RUNS...`: samples to a target against the global batch, from runs that reached it.
#pragma once

#include "engine/commands/fit.hpp"

namespace dfsweep {

/// Of the options: runs, outputs (.toml or .json: the law), columns, model, form, verbosity and colour. Throws
/// UsageError, UserError (malformed runs: nothing is fitted) and IoError.
[[nodiscard]] ExitStatus run_fit_batch(const FitOptions& options);

}  // namespace dfsweep
