/// Dimensions: a network whose nodes and pods are joined in rings, fully connected or by switches, as a topology says.
#pragma once

#include <optional>

#include "models/machine/network.hpp"

namespace dfsweep::training {

/// `network` with the dimensions of `topology`, for a job of `devices`. Dimensions lie in a node up to its devices, in
/// a pod up to its own, and then between pods; a node and a pod become the product of the sizes in them. `shape`
/// without sizes: meshes of rings, and single dimensions, fill the node as evenly as can be; else the first dimension
/// is a node, the second its pod or, with a third, as even a share of the others as can be. Nothing where a shape has
/// another number of dimensions, is neither the job nor a node, or cuts a node or a pod.
[[nodiscard]] std::optional<Network> arranged(const Network& network, const network::Topology& topology,
                                              const network::Shape& shape, double devices);

}  // namespace dfsweep::training
