/// What a calibration found, as JSON.
#pragma once

#include <span>
#include <string>

#include "engine/calibration/calibration.hpp"
#include "engine/calibration/kernel_fit.hpp"

namespace dfsweep {

/// All of it, with the errors of every row, and what kernels told before. Times and rates come first; what was found of
/// memory is an object of the same form.
[[nodiscard]] std::string calibration_json(const Calibration& calibration, std::span<const KernelFit> kernels);

}  // namespace dfsweep
