/// The part of `dfsweep calibrate` that reads operator tables: alone, or before measured runs.
#pragma once

#include <vector>

#include "engine/calibration/kernel_priors.hpp"
#include "engine/commands/calibrate_options.hpp"
#include "engine/console/exit_status.hpp"

namespace dfsweep {

/// Entries of software from operator tables alone, without any measured run. Throws UsageError, UserError, IoError.
[[nodiscard]] ExitStatus run_calibrate_kernels(const CalibrateOptions& options);

/// What the tables tell about the stacks of the rows; nothing where no tables are given.
[[nodiscard]] std::vector<KernelFit> kernels_for_rows(MeasuredSweep& sweep, const CalibrateOptions& options);

}  // namespace dfsweep
