/// Kernel priors: kernel fits as start values and priors of a fit to measured runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/calibration/kernel_fit.hpp"
#include "engine/calibration/measured_sweep.hpp"

namespace dfsweep {

/// The entry with the numbers fitted to kernels, each with its source.
[[nodiscard]] EntryFile with_kernel_numbers(const EntryFile& software, const KernelFit& kernels,
                                            std::span<const CalibrationInfo> infos);

/// The corrected entry as TOML, called `name`.
[[nodiscard]] std::string kernel_entry_text(const EntryFile& corrected, const std::string& name,
                                            const KernelFit& kernels);

/// Fits the kernels of each system that the rows name. Entries of software that run on exactly one of these systems get
/// the fitted numbers, and their spreads in MeasuredSweep::known. Throws UsageError if the rows name none of the
/// systems.
[[nodiscard]] std::vector<KernelFit> start_from_kernels(MeasuredSweep& sweep, std::span<const SystemKernels> systems,
                                                        std::span<const KernelClass> classes);

}  // namespace dfsweep
