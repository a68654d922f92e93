/// Results of a calibration and of the kernel fits before it, as tables on the terminal and as JSON.
#pragma once

#include <span>
#include <string>

#include "engine/calibration/calibration.hpp"
#include "engine/calibration/kernel_fit.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

[[nodiscard]] std::string calibration_text(const Calibration& calibration, const Terminal& terminal);
/// All of it, with the errors of every row, and the kernel fits. Times and rates come first; what was found of
/// memory is an object of the same form.
[[nodiscard]] std::string calibration_json(const Calibration& calibration, std::span<const KernelFit> kernels);

/// What a self-test found.
[[nodiscard]] std::string self_test_text(const SimulatedCalibration& simulated, const Terminal& terminal);

/// The fit of a stack to kernels that were measured one by one.
[[nodiscard]] std::string kernel_text(std::span<const KernelFit> kernels, const Terminal& terminal);
[[nodiscard]] JsonArray kernel_json(std::span<const KernelFit> kernels);

}  // namespace dfsweep
