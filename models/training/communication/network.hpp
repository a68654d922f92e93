/// Network: the links of a device inside its node, between nodes, and between pods of nodes.
#pragma once

#include <cstdint>

#include "models/training/workload/placement.hpp"
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

struct Network {
  NodeLinks node_links = NodeLinks::switched;
  Enclosures enclosures;  ///< a rack whose switch joins all of its devices is one node
  LinkTier inside;        ///< a node
  LinkTier across;        ///< nodes of one pod
  LinkTier between_pods;  ///< unused where one pod holds all
};

}  // namespace dfsweep::training
