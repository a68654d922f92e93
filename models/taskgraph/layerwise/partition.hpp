/// Partition of a chain of layers into contiguous groups, each of which fits in the fast memory of one device.
#pragma once

#include <cstdint>
#include <span>

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct LayerNeeds {
  Bytes resident;   ///< weights and buffers, which stay for all tiles
  Bytes per_token;  ///< activations per token of the tile, released after the layer
  Seconds time;     ///< per tile
};

/// Capacity rule: a group fits if the resident bytes of all its layers and the largest activations of one tile fit:
///
///     sum resident + tile * max per_token <= capacity
///
/// Every part of a group that fits also fits. Source: docs/models/taskgraph.md, layerwise.
struct FastMemory {
  Bytes capacity;
  double tile = 1.0;  ///< tokens
};

/// Left side of the capacity rule for all `layers` as one group.
[[nodiscard]] Bytes bytes_of_group(std::span<const LayerNeeds> layers, double tile);

/// The minimum number of groups; 0 where a single layer does not fit. The greedy packing from the first layer on is
/// optimal.
[[nodiscard]] std::size_t fewest_groups(std::span<const LayerNeeds> layers, const FastMemory& memory);

/// The largest whole tile up to `most` with which the layers need at most `groups` groups; 0 where no tile is possible.
[[nodiscard]] double largest_tile(std::span<const LayerNeeds> layers, Bytes capacity, std::size_t groups, double most);

/// Exact minimum, over all partitions into at most `groups` groups that fit, of the time of the slowest group. Each
/// group takes as many layers as fit within this time. `ends`: space for `groups` elements, filled with one past the
/// last layer of each group. Returns the number of groups used; 0 where no partition fits. Allocates nothing.
///
/// Method: repeatedly find a partition with every group strictly faster than the slowest so far, until none exists.
/// Each iteration is one greedy pass. The time of a group is a sum over contiguous layers, so the number of iterations
/// is finite, and small in practice.
[[nodiscard]] std::size_t smallest_slowest(std::span<const LayerNeeds> layers, const FastMemory& memory,
                                           std::size_t groups, std::span<std::uint32_t> ends);

}  // namespace dfsweep::taskgraph
