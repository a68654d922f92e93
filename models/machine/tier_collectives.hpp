/// Collectives over a group that spans nodes and pods: one pass (all-gather or reduce-scatter), all-reduce, dispatch.
#pragma once

#include "models/machine/network.hpp"

namespace dfsweep {

/// Shares of the link bandwidth that collectives achieve.
struct LinkShares {
  double inside = 0.689;  ///< within a node: all-reduce, all-gather, reduce-scatter
  double across = 0.810;  ///< between nodes
  double expert = 0.90;   ///< all-to-all exchanges of experts, within and between nodes
};

/// Bandwidth of a device to g ranks in its node: B_inside; (g-1)/(n-1) of it where links join pairs of the n devices;
/// or the bandwidth of a pass along the dimensions of the node (tier_lines.hpp).
[[nodiscard]] Bandwidth inside_bandwidth(const GroupPlace& group, const Network& network);

/// Bandwidth of rings through all ranks: inside_bandwidth e_i in a node. Rings that leave the node are also limited by
/// g B_across e_a, since the g ranks of the group in a node share the rings; the same holds between pods.
[[nodiscard]] Bandwidth ring_bandwidth(const GroupPlace& group, const Network& network, const LinkShares& links);

/// Time of one pass over S bytes, of which every rank starts from, or ends with, 1/p: S (p-1)/p / ring bandwidth, plus
/// one latency per step to the next rank of the node, the next node and the next pod. Zero for one rank.
[[nodiscard]] Seconds one_pass_time(Bytes size, const GroupPlace& group, const Network& network,
                                    const LinkShares& links);

/// Time of an all-to-all of S bytes per rank, 1/p of them for each rank: as one_pass_time on switches,
/// all_to_all_bandwidth on dimensions.
[[nodiscard]] Seconds all_to_all_time(Bytes size, const GroupPlace& group, const Network& network,
                                      const LinkShares& links);

/// The link from a rank to the next rank of the group: within the node if it has several ranks of the group.
[[nodiscard]] LinkTier next_link(const GroupPlace& group, const Network& network);

/// Time of an all-reduce: two passes.
[[nodiscard]] Seconds all_reduce_time(Bytes size, const GroupPlace& group, const Network& network,
                                      const LinkShares& links);

/// Time to send tokens of S bytes to experts on `visits` ranks each: inside the node S visits (1 - 1/g) / (B_inside e),
/// across S u (n-1)/n / (B_across e), once per distinct node; on average u = n (1 - (1 - 1/n)^visits) of n nodes are
/// visited. [deepseekv3] section 3.2.2. Zero for one rank. Pre: `visits` is whole.
[[nodiscard]] Seconds dispatch_time(Bytes tokens, double visits, const GroupPlace& group, const Network& network,
                                    const LinkShares& links);

}  // namespace dfsweep
