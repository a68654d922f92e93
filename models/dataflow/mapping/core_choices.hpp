/// Core choices: the Pareto-optimal pairs of cores and time of one kernel on a chip.
#pragma once

#include <vector>

#include "models/dataflow/search/partition_problem.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep::dataflow {

/// The sizes of a tile that determine its cycles, as blocks of the systolic array of one core.
struct TileBlocks {
  double rows;     ///< ceil(outer m / systolic width)
  double columns;  ///< ceil(n / systolic height) of a matrix product, otherwise 1
  double depth;    ///< cycles of one block: k of a matrix product, otherwise n
  bool operator==(const TileBlocks&) const = default;
};
[[nodiscard]] TileBlocks tile_blocks(const Kernel& tile, const Device& device);

/// All Pareto-optimal pairs (cores, time) in ascending order of cores, at most device.cores. time = tiles * cycles /
/// frequency, cycles as in core_allocation.hpp for the best lanes * stages <= cores.
/// Pre: device.has_cores(), sizes < 10^15.
[[nodiscard]] std::vector<CoreChoice> core_choices(const TileBlocks& tile, double tiles, const Device& device);

}  // namespace dfsweep::dataflow
