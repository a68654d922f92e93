/// What a calibration found, as tables on the terminal and as JSON.
#pragma once

#include <span>
#include <string>

#include "engine/calibration/calibration.hpp"
#include "engine/calibration/kernel_fit.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

[[nodiscard]] std::string calibration_text(const MeasuredSweep& sweep, const CalibrationReport& report,
                                           const Terminal& terminal);
/// All of it, with the errors of every row, and what kernels told before.
[[nodiscard]] std::string calibration_json(const MeasuredSweep& sweep, const CalibrationReport& report,
                                           std::span<const KernelFit> kernels);

/// What a self-test found. `fields`: the numbers that were fitted.
[[nodiscard]] std::string self_test_text(const MeasuredSweep& sweep, const std::vector<std::string>& fields,
                                         const calibration::Coverage& coverage, const Terminal& terminal);

}  // namespace dfsweep
