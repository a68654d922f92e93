/// What kernels measured one by one tell about a stack, as tables on the terminal and as JSON.
#pragma once

#include <span>
#include <string>

#include "engine/calibration/kernel_fit.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

[[nodiscard]] std::string kernel_text(std::span<const KernelFit> kernels, const Terminal& terminal);
[[nodiscard]] JsonArray kernel_json(std::span<const KernelFit> kernels);

}  // namespace dfsweep
