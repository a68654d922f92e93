#include "models/machine/tier_collectives.hpp"

#include <algorithm>

#include "models/machine/tier_lines.hpp"

namespace dfsweep {

namespace {

/// n (1 - (1 - 1/n)^visits), by repeated multiplication so that all processors give the same bits.
double distinct(double n, double visits) {
  double missed = 1.0;
  for (double visit = 0; visit < visits; ++visit) missed *= 1 - 1 / n;
  return n * (1 - missed);
}

/// Bandwidth of a device to the ranks of its group in a tier, from the lines of the group in this tier.
using TierRate = Bandwidth (*)(const TierLines& lines, Bandwidth device);

Bandwidth node_rate(const GroupPlace& group, const Network& network, TierRate rate) {
  if (network.dimensions.inside > 0)
    return rate(tier_lines(group, network.dimensions, Tier::inside), network.inside.bandwidth);
  if (network.node_links == NodeLinks::switched || group.in_node <= 1) return network.inside.bandwidth;
  return (group.in_node - 1) / (network.enclosures.node - 1) * network.inside.bandwidth;
}

/// Rate outside the node; `tier` is a switch unless it has dimensions.
Bandwidth outer_rate(const GroupPlace& group, const Network& network, Tier tier, TierRate rate) {
  const Bandwidth device = tier == Tier::across ? network.across.bandwidth : network.between_pods.bandwidth;
  if (network.dimensions.topology.count == 0) return device;
  const TierLines lines = tier_lines(group, network.dimensions, tier);
  return lines.count == 0 ? device : rate(lines, device);
}

Bandwidth slowest_tier(const GroupPlace& group, const Network& network, const LinkShares& links, TierRate rate) {
  const Bandwidth inside = links.inside * node_rate(group, network, rate);
  Bandwidth least = group.in_node > 1 || group.ranks <= 1 ? inside : links.across * network.across.bandwidth;
  if (nodes(group) > 1)
    least = std::min(least, links.across * group.in_node * outer_rate(group, network, Tier::across, rate));
  if (pods(group) > 1)
    least = std::min(least, links.across * group.in_pod * outer_rate(group, network, Tier::between_pods, rate));
  return least;
}

/// Latency of one pass over the `ranks` ranks of a tier: one per step of a ring, or per hop of its lines.
Seconds tier_steps(double ranks, const GroupPlace& group, const Network& network, Tier tier, Seconds latency) {
  const TierLines lines = tier_lines(group, network.dimensions, tier);
  return (lines.count > 0 ? pass_hops(lines) : ranks - 1) * latency;
}

Seconds pass_steps(const GroupPlace& group, const Network& network) {
  const double nodes_in_pod = group.in_pod / group.in_node;
  if (network.dimensions.topology.count == 0)
    return (group.in_node - 1) * network.inside.latency + (nodes_in_pod - 1) * network.across.latency +
           (pods(group) - 1) * network.between_pods.latency;
  return tier_steps(group.in_node, group, network, Tier::inside, network.inside.latency) +
         tier_steps(nodes_in_pod, group, network, Tier::across, network.across.latency) +
         tier_steps(pods(group), group, network, Tier::between_pods, network.between_pods.latency);
}

}  // namespace

Bandwidth inside_bandwidth(const GroupPlace& group, const Network& network) {
  return node_rate(group, network, pass_bandwidth);
}

Bandwidth ring_bandwidth(const GroupPlace& group, const Network& network, const LinkShares& links) {
  return slowest_tier(group, network, links, pass_bandwidth);
}

Seconds one_pass_time(Bytes size, const GroupPlace& group, const Network& network, const LinkShares& links) {
  if (group.ranks <= 1) return Seconds{};
  return (group.ranks - 1) / group.ranks * size / ring_bandwidth(group, network, links) + pass_steps(group, network);
}

Seconds all_to_all_time(Bytes size, const GroupPlace& group, const Network& network, const LinkShares& links) {
  if (group.ranks <= 1) return Seconds{};
  const Bandwidth bandwidth = slowest_tier(group, network, links, all_to_all_bandwidth);
  return (group.ranks - 1) / group.ranks * size / bandwidth + pass_steps(group, network);
}

LinkTier next_link(const GroupPlace& group, const Network& network) {
  const bool inside = group.in_node > 1;
  const LinkTier& tier = inside ? network.inside : network.across;
  if (network.dimensions.topology.count == 0) return tier;
  const TierLines lines = tier_lines(group, network.dimensions, inside ? Tier::inside : Tier::across);
  return lines.count == 0 ? tier : LinkTier{next_bandwidth(lines, tier.bandwidth), next_hops(lines) * tier.latency};
}

Seconds all_reduce_time(Bytes size, const GroupPlace& group, const Network& network, const LinkShares& links) {
  return 2 * one_pass_time(size, group, network, links);
}

Seconds dispatch_time(Bytes tokens, double visits, const GroupPlace& group, const Network& network,
                      const LinkShares& links) {
  if (group.ranks <= 1) return Seconds{};
  const double n = nodes(group);
  const Seconds inside =
      visits * (1 - 1 / group.in_node) * tokens / (links.expert * node_rate(group, network, all_to_all_bandwidth)) +
      network.inside.latency;
  if (n <= 1) return inside;
  const Bytes sent = distinct(n, visits) * (n - 1) / n * tokens;
  return inside + sent / (links.expert * outer_rate(group, network, Tier::across, all_to_all_bandwidth)) +
         network.across.latency;
}

}  // namespace dfsweep
