/// Core choices: the ways to run one kernel on some of the cores of a chip that no other way beats.
#pragma once

#include <vector>

#include "models/dataflow/partition_problem.hpp"
#include "models/hardware/hardware.hpp"

namespace dfsweep {

/// All pairs (cores, time) with time = tiles * cycles / frequency, cycles as in core_allocation.hpp for the best
/// lanes * stages <= cores, for which fewer cores take longer; ascending cores, at most device.cores.
/// Pre: device.has_cores(), sizes < 10^15.
[[nodiscard]] std::vector<CoreChoice> core_choices(const Kernel& tile, double tiles, const Device& device);

}  // namespace dfsweep
