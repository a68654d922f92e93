/// `dfsweep calibrate ROWS.csv`: numbers of catalogue entries fitted to measured runs, with the errors to expect.
#pragma once

#include "engine/commands/calibrate_options.hpp"
#include "engine/console/exit_status.hpp"

namespace dfsweep {

/// Throws UsageError, UserError (malformed rows: nothing is fitted), IoError.
[[nodiscard]] ExitStatus run_calibrate(const CalibrateOptions& options);

}  // namespace dfsweep
