/// Network: links within a node, between nodes and between pods of nodes, and their arrangement in the dimensions of a
/// topology.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/machine/group_place.hpp"
#include "models/machine/topology.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// One tier of links, in one direction ("bidirectional" figures halved).
struct LinkTier {
  Bandwidth bandwidth;  ///< bandwidth of one device
  Seconds latency;      ///< latency of one step of a ring
};

/// How the devices of a node are joined.
enum class NodeLinks : std::uint8_t {
  switched,  ///< every device can use its whole bandwidth with any other device
  direct,    ///< the links of a device are divided among the other devices of the node
};

/// Dimensions of a network, innermost first, and their tiers. A tier with several dimensions divides the bandwidth of a
/// device among them. A tier without dimensions is joined by a switch, or in a node as NodeLinks defines.
struct Dimensions {
  Topology topology;
  Shape shape;
  std::size_t inside = 0;  ///< number of leading dimensions, which join a node
  std::size_t in_pod = 0;  ///< number of leading dimensions that join a pod; the others join pods
};

struct Network {
  Dimensions dimensions;
  NodeLinks node_links = NodeLinks::switched;
  Enclosures enclosures;  ///< a rack with one switch for all devices counts as a node
  LinkTier inside;        ///< links within a node
  LinkTier across;        ///< links between nodes of one pod
  LinkTier between_pods;  ///< links between pods; unused with a single pod
};

/// Links of a device inside its node: those of the leading dimensions, two in a ring, one to a switch, one to each
/// other chip of a clique (docs/models/cost.md); without dimensions one to the switch, or one to each other device of a
/// node with direct links.
[[nodiscard]] double links_of_device(const Network& network);

/// `network` with the dimensions of `topology`, for a job of `devices`. Leading dimensions join the devices of a node,
/// then those of a pod, then pods; the sizes of node and pod become the products of their dimensions. Without sizes in
/// `shape`, meshes of rings and single dimensions fill the node as evenly as possible; otherwise the first dimension is
/// a node, and the second is the pod or, with a third dimension, as even a share of the rest as possible. Empty where
/// the shape has another number of dimensions, matches neither the job nor a node, or cuts a node or a pod.
[[nodiscard]] std::optional<Network> arranged(const Network& network, const Topology& topology, const Shape& shape,
                                              double devices);

}  // namespace dfsweep
