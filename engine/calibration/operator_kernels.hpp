/// Measured operators of inference engines as kernels that numbers of software are fitted to.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/calibration/system_kernels.hpp"

namespace dfsweep {

/// One per system, in the order of the tables: products, prompts of 1024 tokens and more, and all-reduces of 1 MiB and
/// more, all in 16 bits. `measured_on`: systems of the catalogue behind names of the tables; others are found as by
/// `profiles`. Throws UsageError for unknown systems; UserError with all problems of the tables, or where a system has
/// no such kernel.
[[nodiscard]] std::vector<SystemKernels> read_operator_kernels(const std::filesystem::path& folder,
                                                               std::span<const MeasuredOn> measured_on,
                                                               const Catalogue& catalogue, unsigned threads);

}  // namespace dfsweep
