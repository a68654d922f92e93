/// What a calibration found, as tables on the terminal and as JSON.
#pragma once

#include <string>

#include "engine/calibration/calibration.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

[[nodiscard]] std::string calibration_text(const MeasuredSweep& sweep, const CalibrationReport& report,
                                           const Terminal& terminal);
/// All of it, with the errors of every row.
[[nodiscard]] std::string calibration_json(const MeasuredSweep& sweep, const CalibrationReport& report);

/// What a self-test found. `fields`: the numbers that were fitted.
[[nodiscard]] std::string self_test_text(const MeasuredSweep& sweep, const std::vector<std::string>& fields,
                                         const calibration::Coverage& coverage, const Terminal& terminal);

}  // namespace dfsweep
