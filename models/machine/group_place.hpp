/// Group place: which ranks of a group share a node and a pod.
/// Source: docs/models/training.md.
#pragma once

namespace dfsweep {

/// Devices of a node and of a pod; a pod holds whole nodes.
struct Enclosures {
  double node = 8.0;
  double pod = 0.0;  ///< 0: one pod has all nodes
};

/// Placement of the ranks of one group.
struct GroupPlace {
  double ranks = 1.0;
  double in_node = 1.0;  ///< ranks of the group that share a node
  double in_pod = 1.0;   ///< ranks of the group that share a pod, at least in_node
  double stride = 1.0;   ///< distance from one rank to the next, in devices
};

/// Numbers of nodes and pods that a group spans, as if all had as many ranks.
[[nodiscard]] constexpr double nodes(const GroupPlace& g) {
  return g.ranks / g.in_node;
}
[[nodiscard]] constexpr double pods(const GroupPlace& g) {
  return g.ranks / g.in_pod;
}

/// Places `ranks` ranks at distance `stride`. An enclosure of n devices has room for k = min(ranks, max(1, n / stride))
/// of them, and has the largest divisor of `ranks` up to k. Where that is less than half of floor(ranks / ceil(ranks /
/// k)), ranks are spread over as few enclosures as hold them, and the emptiest one counts. Pre: all arguments are at
/// least 1.
[[nodiscard]] GroupPlace place(double ranks, double stride, const Enclosures& enclosures);

}  // namespace dfsweep
