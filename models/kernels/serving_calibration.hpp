/// What measured serving may correct: numbers of software stacks, with what is known of them beforehand.
#pragma once

#include <span>

#include "models/calibration_info.hpp"

namespace dfsweep::serving {

[[nodiscard]] std::span<const CalibrationInfo> calibration();

}  // namespace dfsweep::serving
