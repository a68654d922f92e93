/// What kernels tell about entries of software: numbers where a fit to measured runs starts, and how far it may move.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/calibration/kernel_fit.hpp"
#include "engine/calibration/measured_sweep.hpp"

namespace dfsweep {

/// The entry with the numbers that kernels tell, each with its source.
[[nodiscard]] EntryFile told_by_kernels(const EntryFile& software, const KernelFit& kernels,
                                        std::span<const CalibrationInfo> infos);

/// That entry as TOML under this name.
[[nodiscard]] std::string kernel_entry_text(const EntryFile& told, const std::string& name, const KernelFit& kernels);

/// Fits the kernels of each system that the rows name, and gives what they tell to the entries of software that the
/// rows name with this system: their numbers, and MeasuredSweep::known. Entries that run on several systems with
/// kernels stay as they are. Throws UsageError where the rows name none of the systems.
[[nodiscard]] std::vector<KernelFit> start_from_kernels(MeasuredSweep& sweep, std::span<const SystemKernels> systems,
                                                        std::span<const training::KernelClass> classes);

}  // namespace dfsweep
