/// Strategy layerwise: contiguous groups of layers, each in the fast memory of one device; tiles of tokens stream
/// through the devices.
#pragma once

#include "models/taskgraph/layerwise/tiling.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Placement of the layers of a point on devices.
struct LayerPlacement {
  Obstacle obstacle = Obstacle::none;
  double cache_fit =
      absent;  ///< capacity over the need of the fullest group; with a tile of one token where nothing fits
  Tiling tiling;
  double tile = 1.0;  ///< mean tokens per tile
  PartTimes layer;    ///< times of a layer per tile
  PartTimes link;     ///< of a transfer between two groups per tile

  /// Layers of group `g`: the last one has what is left.
  [[nodiscard]] double layers_of(double g, double all) const {
    return std::min(tiling.layers, all - g * tiling.layers);
  }
};

/// Maximum number of devices: device_count, otherwise t p, the product of the tensor and pipeline degrees.
/// Source: docs/models/taskgraph.md, layerwise.
[[nodiscard]] double layerwise_devices(const Setting& setting);

/// Placement::fewest_devices: the fewest groups that fit with any tile, then the tiles with the shortest step.
/// Placement::fastest: the tiles and groups with the shortest step. Tiles have at most the tokens of a micro-batch or
/// token_tile, so a larger cache only adds choices.
///
/// Where the layers do not fit even with tiles of one token, the result is Obstacle::cache. With Spill::stream,
/// operands come from DRAM instead, on all devices; Placement::fastest streams also where that is faster than the
/// cache, and chooses the groups. With measured tables, whose times need not be convex, streamed tiles are as large as
/// possible.
[[nodiscard]] LayerPlacement place_layers(const Setting& setting);

/// Pre: the placement has no obstacle and belongs to the setting.
[[nodiscard]] StepEstimate layerwise_estimate(const Setting& setting, const LayerPlacement& placement);

[[nodiscard]] StepEstimate layerwise(const Setting& setting);

}  // namespace dfsweep::taskgraph
