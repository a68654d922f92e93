/// Strategy layerwise: contiguous groups of layers, each on one device whose fast memory holds them; tiles of tokens
/// stream through.
#pragma once

#include <cstdint>
#include <vector>

#include "models/taskgraph/layerwise/partition.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// The layers of a point on their devices.
struct LayerPlacement {
  Obstacle obstacle = Obstacle::none;
  bool is_cached = true;
  double cache_fit = 0.0;  ///< capacity over what the fullest group needs; of the smallest tile where nothing fits
  double tile = 1.0;       ///< tokens
  double tiles = 1.0;      ///< of a step
  PartTimes layer;         ///< of a tile
  std::vector<LayerNeeds> needs;    ///< [layer]
  std::vector<std::uint32_t> ends;  ///< [group] one past its last layer
  std::size_t groups = 0;
};

/// Devices that the layers may use: device_count, else those of the tensor and pipeline degrees.
[[nodiscard]] double layerwise_devices(const Setting& setting);

/// Fills `placement`, whose vectors keep their memory from point to point.
///
/// The tile is the largest one, up to a micro-batch of tokens, with which the devices hold all layers: it shrinks only
/// where activations are in the way. The tokens of the step are then spread evenly over as many tiles. With that tile,
/// Placement says which partition is taken.
///
/// Where the layers do not fit even with a tile of one token: Obstacle::cache, or with Spill::stream tiles of a
/// micro-batch, whose operands come from DRAM each time, on all devices.
void place_layers(const Setting& setting, LayerPlacement& placement);

[[nodiscard]] StepEstimate layerwise(const Setting& setting, LayerPlacement& placement);

}  // namespace dfsweep::taskgraph
