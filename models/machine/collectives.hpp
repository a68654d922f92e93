/// Collectives: the cost of all-reduce, all-gather and all-to-all within one dimension, and of an exchange over a whole
/// machine, as multiples of bytes / bandwidth and of the link latency.
///
/// The published model and real schedules disagree in several of these costs. A convention selects functions, so
/// formulas do not depend on the convention. Formulas, derivations and limits: docs/models/dataflow.md, "Collectives".
#pragma once

#include "models/machine/topology.hpp"

namespace dfsweep {

/// Cost in multiples of S/B for `chips` chips joined by one dimension. S: bytes of each chip before the collective, B:
/// bandwidth of a link in one direction. Pre: chips >= 1. Post: 0 for one chip.
using CollectiveCost = double (*)(DimensionKind kind, double chips);

/// (p-1)/p on rings and switches, 1/p fully connected: one pass (reduce-scatter or all-gather) over a tensor of S bytes
/// of which every chip ends with, or starts from, 1/p. [dfmodel] section 4.1
[[nodiscard]] double one_pass(DimensionKind kind, double chips);

/// All-gather of shards of S bytes each: p-1 on rings and switches, 1 fully connected, where each link carries one
/// shard.
[[nodiscard]] double gather_shards(DimensionKind kind, double chips);

/// All-to-all as published: p^2/8 on a ring, p/4 on a switch, 1 fully connected. [dfmodel] section 4.1
[[nodiscard]] double published_all_to_all(DimensionKind kind, double chips);

/// All-to-all of S bytes held by each chip, S/p of them for every chip: the halves of a ring exchange floor(p^2/4) S/p
/// over two links, a switch port carries (p-1)/p S, a link of a fully connected dimension carries S/p.
[[nodiscard]] double scheduled_all_to_all(DimensionKind kind, double chips);

/// Link latencies on the critical path of a collective. Pre: chips >= 1. Post: 0 for one chip.
using CollectiveSteps = double (*)(DimensionKind kind, double chips);

[[nodiscard]] double no_steps(DimensionKind kind, double chips);
/// 2(p-1) on every topology. [dfmodel] generation 3
[[nodiscard]] double ring_all_reduce_steps(DimensionKind kind, double chips);
/// Steps of an all-reduce: twice gather_steps.
[[nodiscard]] double all_reduce_steps(DimensionKind kind, double chips);
/// Steps of an all-gather: p-1 around a ring, ceil(log2 p) by recursive doubling through a switch, 1 fully connected.
[[nodiscard]] double gather_steps(DimensionKind kind, double chips);
/// Steps of an all-to-all: floor(p/2) hops on a ring, p-1 rounds through a switch, 1 fully connected.
[[nodiscard]] double all_to_all_steps(DimensionKind kind, double chips);

/// Cost of an all-to-all over the whole machine with T bytes in total. Seconds per byte are the maximum of first /
/// B_first and outer / B_outer; B_first: link bandwidth of the inner dimensions, B_outer: of all others.
struct ExchangeCost {
  double first = 0.0;
  double outer = 0.0;
};
/// `inner`: number of leading dimensions with inner links.
using ExchangeRule = ExchangeCost (*)(const Topology& topology, const Shape& shape, std::size_t inner);

/// 1/(4 b), b: bisection links of the last dimension, i.e. the chips of one slice for rings, y^2/4 fully connected,
/// y for a switch of y ports. Fits every logged run. [dfmodel] section 4.2, first formula
[[nodiscard]] ExchangeCost last_dimension_exchange(const Topology& topology, const Shape& shape, std::size_t inner);
/// c(c-1)/(2 p^2 b) per dimension, c the chips it reaches, b the links (ring 2p/x, switch x, fully connected x^2/4).
[[nodiscard]] ExchangeCost pairwise_exchange_quarter(const Topology& topology, const Shape& shape, std::size_t inner);
/// As pairwise_exchange_quarter, with x(x-1)/2 links in a fully connected dimension.
[[nodiscard]] ExchangeCost pairwise_exchange_pairs(const Topology& topology, const Shape& shape, std::size_t inner);
/// Both halves of the machine send T/4 to each other: 1/(4 b) per dimension with full-duplex links counted once per
/// direction (ring 2 per line, fully connected floor(x^2/4), switch x/2), over the share of traffic that crosses it.
[[nodiscard]] ExchangeCost bisection_exchange(const Topology& topology, const Shape& shape, std::size_t inner);

}  // namespace dfsweep
