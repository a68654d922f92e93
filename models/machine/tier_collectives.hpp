/// Collectives over a group that spans nodes and pods: one pass (all-gather or reduce-scatter), all-reduce, dispatch.
#pragma once

#include "models/machine/network.hpp"

namespace dfsweep::training {

/// Shares of the bandwidth of links that collectives reach.
struct LinkShares {
  double inside = 0.71;  ///< of the link bandwidth in a node: all-reduce, all-gather, reduce-scatter
  double across = 0.86;  ///< of the bandwidth between nodes
  double expert = 0.90;  ///< of either, for all-to-all exchanges of experts
};

/// Bandwidth of a device to g ranks of its node: B_inside, or (g-1)/(n-1) of it where links join pairs of n devices, or
/// that of a pass along the dimensions of the node (tier_lines.hpp).
[[nodiscard]] Bandwidth inside_bandwidth(const GroupPlace& group, const Network& network);

/// Bandwidth of rings through all ranks: that e_i in a node; where they leave it also at most g B_across e_a, g the
/// ranks of the group in a node, whose links share the rings; likewise between pods.
[[nodiscard]] Bandwidth ring_bandwidth(const GroupPlace& group, const Network& network, const LinkShares& links);

/// One pass over S bytes, of which every rank starts from, or ends up with, 1/p: S (p-1)/p / ring bandwidth, and one
/// latency for each step to the next rank of the node, the next node and the next pod. Zero for one rank.
[[nodiscard]] Seconds one_pass_time(Bytes size, const GroupPlace& group, const Network& network,
                                    const LinkShares& links);

/// S bytes of every rank, 1/p of them for each rank: the same on switches; dimensions carry them at their own rate.
[[nodiscard]] Seconds all_to_all_time(Bytes size, const GroupPlace& group, const Network& network,
                                      const LinkShares& links);

/// The link from a rank to the next rank of the group: of the node where it has several ranks there.
[[nodiscard]] LinkTier next_link(const GroupPlace& group, const Network& network);

/// Two passes.
[[nodiscard]] Seconds all_reduce_time(Bytes size, const GroupPlace& group, const Network& network,
                                      const LinkShares& links);

/// Tokens of S bytes go to experts on `visits` ranks each: inside the node S visits (1 - 1/g) / (B_inside e), across S
/// u (n-1)/n / (B_across e), once for each distinct node: u = n (1 - (1 - 1/n)^visits) of n nodes are visited on
/// average. [deepseekv3] section 3.2.2. Zero for one rank. Pre: `visits` is whole.
[[nodiscard]] Seconds dispatch_time(Bytes tokens, double visits, const GroupPlace& group, const Network& network,
                                    const LinkShares& links);

}  // namespace dfsweep::training
