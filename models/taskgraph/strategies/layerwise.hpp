/// Strategy layerwise: contiguous groups of layers, each in the fast memory of one device; tiles of tokens stream
/// through the devices.
#pragma once

#include <cstdint>
#include <vector>

#include "models/taskgraph/layerwise/partition.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Placement of the layers of a point on devices.
struct LayerPlacement {
  Obstacle obstacle = Obstacle::none;
  bool is_cached = true;
  double cache_fit = 0.0;  ///< capacity over the need of the fullest group; with a tile of one token where nothing fits
  double tile = 1.0;       ///< tokens per tile
  double tiles = 1.0;      ///< tiles per step
  PartTimes layer;         ///< times of a layer per tile
  std::vector<LayerNeeds> needs;    ///< [layer]
  std::vector<std::uint32_t> ends;  ///< [group] one past its last layer
  std::size_t groups = 0;
};

/// Maximum number of devices: device_count, otherwise the product of the tensor and pipeline degrees.
[[nodiscard]] double layerwise_devices(const Setting& setting);

/// Fills `placement`, whose vectors are reused for all points.
///
/// The tile is the largest one, up to a micro-batch of tokens, with which the devices hold all layers; it shrinks only
/// where activations need the memory. The tokens of the step are then divided evenly among the tiles. Placement selects
/// the partition for this tile.
///
/// Where the layers do not fit even with a tile of one token, the result is Obstacle::cache; with Spill::stream, all
/// devices process tiles of a micro-batch with operands from DRAM.
void place_layers(const Setting& setting, LayerPlacement& placement);

[[nodiscard]] StepEstimate layerwise(const Setting& setting, LayerPlacement& placement);

}  // namespace dfsweep::taskgraph
