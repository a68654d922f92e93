/// What a calibration found, as tables on the terminal.
#pragma once

#include <string>

#include "engine/calibration/calibration.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

[[nodiscard]] std::string calibration_text(const Calibration& calibration, const Terminal& terminal);

/// What a self-test found.
[[nodiscard]] std::string self_test_text(const SimulatedCalibration& simulated, const Terminal& terminal);

}  // namespace dfsweep
