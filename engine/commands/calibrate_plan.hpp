/// `dfsweep calibrate --plan`: what to time on a new machine, chosen by design.
#pragma once

#include "engine/commands/calibrate.hpp"

namespace dfsweep {

/// Prints the rows as CSV, or writes them to a folder, and the errors to expect before and after they are timed. Throws
/// UsageError for an unknown system, and one without a peak rate or a memory bandwidth.
[[nodiscard]] ExitStatus run_calibrate_plan(const CalibrateOptions& options);

}  // namespace dfsweep
