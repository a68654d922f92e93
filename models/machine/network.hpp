/// Network: the links of a device inside its node, between nodes, and between pods of nodes, and how a topology
/// arranges them in dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/machine/group_place.hpp"
#include "models/machine/topology.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

/// One tier of links, in one direction ("bidirectional" figures halved).
struct LinkTier {
  Bandwidth bandwidth;  ///< of one device
  Seconds latency;      ///< of one step of a ring
};

/// How the devices of a node are joined.
enum class NodeLinks : std::uint8_t {
  switched,  ///< every device can use its whole bandwidth with any other
  direct,    ///< its links are shared out among the other devices of the node
};

/// Dimensions of a network, innermost first, and the tiers that they lie in. A tier of several dimensions shares the
/// bandwidth of its devices out among them; a tier without any is joined by a switch, a node as NodeLinks says.
struct Dimensions {
  network::Topology topology;
  network::Shape shape;
  std::size_t inside = 0;  ///< the first ones, which join a node
  std::size_t in_pod = 0;  ///< with those that join the nodes of a pod; the others join pods
};

struct Network {
  Dimensions dimensions;
  NodeLinks node_links = NodeLinks::switched;
  Enclosures enclosures;  ///< a rack whose switch joins all of its devices is one node
  LinkTier inside;        ///< a node
  LinkTier across;        ///< nodes of one pod
  LinkTier between_pods;  ///< unused where one pod holds all
};

/// `network` with the dimensions of `topology`, for a job of `devices`. Dimensions lie in a node up to its devices, in
/// a pod up to its own, and then between pods; a node and a pod become the product of the sizes in them. `shape`
/// without sizes: meshes of rings, and single dimensions, fill the node as evenly as can be; else the first dimension
/// is a node, the second its pod or, with a third, as even a share of the others as can be. Nothing where a shape has
/// another number of dimensions, is neither the job nor a node, or cuts a node or a pod.
[[nodiscard]] std::optional<Network> arranged(const Network& network, const network::Topology& topology,
                                              const network::Shape& shape, double devices);

}  // namespace dfsweep::training
