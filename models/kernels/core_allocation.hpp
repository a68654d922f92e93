/// Cycle model: how many cycles the kernels of a partition take on the cores of a chip, with cores dealt out exactly.
#pragma once

#include <span>

#include "models/kernels/kernel.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep::dataflow {

/// Least cycles of the slowest kernel when the kernels of a partition share the cores of a chip, each working on its
/// own tile: kernel i gets lanes_i * stages_i cores, sum <= cores, and takes
///
///     matrix        ceil(m / (lanes W)) * ceil(n / (stages H)) * k
///     element-wise  ceil(m / (lanes W)) * n                            (stages = 1)
///
/// cycles per tile, m including outer. Infinite where there are more kernels than cores. [dfmodel] section 5.3; no
/// fill, drain or skew of the array is counted.
/// `tiles`: the shard of one tile of each kernel. Pre: device.has_cores(), sizes < 10^15.
[[nodiscard]] double partition_cycles(std::span<const Kernel> tiles, const hardware::Device& device);

}  // namespace dfsweep::dataflow
