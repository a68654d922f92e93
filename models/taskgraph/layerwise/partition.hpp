/// Partition of a chain of layers into contiguous groups, each of which fits the fast memory of one device.
#pragma once

#include <cstdint>
#include <span>

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct LayerNeeds {
  Bytes resident;   ///< weights and buffers, which stay while tiles of tokens pass
  Bytes per_token;  ///< activations of a token of the tile, free again after the layer
  Seconds time;     ///< of a tile
};

/// What fits together: the residents of all layers of a group, and the activations of the largest of them for one tile:
///
///     sum resident + tile * max per_token <= capacity
///
/// Part of a group that fits, fits too. Source: docs/models/taskgraph.md, layerwise.
struct FastMemory {
  Bytes capacity;
  double tile = 1.0;  ///< tokens
};

/// Bytes of the left side for all of `layers` as one group.
[[nodiscard]] Bytes bytes_of_group(std::span<const LayerNeeds> layers, double tile);

/// The fewest groups; 0 where a layer does not fit alone. Each takes as many layers as fit, from the first on: no
/// partition can be further with as many groups.
[[nodiscard]] std::size_t fewest_groups(std::span<const LayerNeeds> layers, const FastMemory& memory);

/// The largest whole tile up to `most` with which the layers need at most `groups` groups; 0 where there is none.
[[nodiscard]] double largest_tile(std::span<const LayerNeeds> layers, Bytes capacity, std::size_t groups, double most);

/// Among all partitions into at most `groups` groups that fit, one whose slowest group is fastest: exact. Each group
/// takes as many layers as fit and keep to the time found. `ends`: room for `groups`; one past the last layer of each
/// group. Returns the number of groups used; 0 where nothing fits. Allocates nothing.
///
/// From any partition, a faster one is asked for (every group strictly below the slowest so far) until there is none;
/// the answer to one question takes one pass, since taking as many layers as possible is optimal. The slowest group is
/// a sum over contiguous layers, so the number of questions is finite; a few in practice.
[[nodiscard]] std::size_t smallest_slowest(std::span<const LayerNeeds> layers, const FastMemory& memory,
                                           std::size_t groups, std::span<std::uint32_t> ends);

}  // namespace dfsweep::taskgraph
