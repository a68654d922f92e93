#include "models/training/communication/collective.hpp"

#include <algorithm>

namespace dfsweep::training {

namespace {

/// n (1 - (1 - 1/n)^visits), by multiplication so that it is the same on every processor.
double distinct(double n, double visits) {
  double missed = 1.0;
  for (double visit = 0; visit < visits; ++visit) missed *= 1 - 1 / n;
  return n * (1 - missed);
}

}  // namespace

Bandwidth inside_bandwidth(const GroupPlace& group, const Network& network) {
  if (network.node_links == NodeLinks::switched || group.in_node <= 1) return network.inside.bandwidth;
  return (group.in_node - 1) / (network.enclosures.node - 1) * network.inside.bandwidth;
}

Bandwidth ring_bandwidth(const GroupPlace& group, const Network& network, const LinkEfficiency& links) {
  const Bandwidth inside = links.inside * inside_bandwidth(group, network);
  Bandwidth ring = group.in_node > 1 || group.ranks <= 1 ? inside : links.across * network.across.bandwidth;
  if (nodes(group) > 1) ring = std::min(ring, links.across * group.in_node * network.across.bandwidth);
  if (pods(group) > 1) ring = std::min(ring, links.across * group.in_pod * network.between_pods.bandwidth);
  return ring;
}

Seconds one_pass_time(Bytes size, const GroupPlace& group, const Network& network, const LinkEfficiency& links) {
  if (group.ranks <= 1) return Seconds{};
  const double nodes_in_pod = group.in_pod / group.in_node;
  const Seconds steps = (group.in_node - 1) * network.inside.latency + (nodes_in_pod - 1) * network.across.latency +
                        (pods(group) - 1) * network.between_pods.latency;
  return (group.ranks - 1) / group.ranks * size / ring_bandwidth(group, network, links) + steps;
}

Seconds all_reduce_time(Bytes size, const GroupPlace& group, const Network& network, const LinkEfficiency& links) {
  return 2 * one_pass_time(size, group, network, links);
}

Seconds dispatch_time(Bytes tokens, double visits, const GroupPlace& group, const Network& network,
                      const LinkEfficiency& links) {
  if (group.ranks <= 1) return Seconds{};
  const double n = nodes(group);
  const Seconds inside = visits * (1 - 1 / group.in_node) * tokens / (links.expert * inside_bandwidth(group, network)) +
                         network.inside.latency;
  if (n <= 1) return inside;
  const Bytes sent = distinct(n, visits) * (n - 1) / n * tokens;
  return inside + sent / (links.expert * network.across.bandwidth) + network.across.latency;
}

}  // namespace dfsweep::training
