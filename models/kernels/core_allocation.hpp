/// Cycle model: cycles of the kernels of a partition on the cores of a chip, with an optimal allocation of cores.
#pragma once

#include <span>

#include "models/kernels/kernel.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep {

/// Minimum over all allocations of the cycles of the slowest kernel, where the kernels of a partition share the cores
/// of a chip and each works on its own tile. Kernel i gets lanes_i * stages_i cores, sum <= cores, and takes
///
///     matrix        ceil(m / (lanes W)) * ceil(n / (stages H)) * k
///     element-wise  ceil(m / (lanes W)) * n                            (stages = 1)
///
/// cycles per tile, m including outer. Infinite where there are more kernels than cores. [dfmodel] section 5.3, without
/// fill, drain and skew of the array.
/// `tiles`: the shard of one tile of each kernel. Pre: device.has_cores(), sizes < 10^15.
[[nodiscard]] double partition_cycles(std::span<const Kernel> tiles, const Device& device);

}  // namespace dfsweep
