/// Tier lines: how the ranks of a group lie along the dimensions of a tier, and what these carry for them. A dimension
/// has an even share b of the bandwidth of a device in its tier, both ways round a ring, all links of a clique. Passes
/// and rings: [thakur] sections 3 and 4; derivations: docs/models/training.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/machine/network.hpp"

namespace dfsweep {

enum class Tier : std::uint8_t { inside, across, between_pods };

/// Ranks of a group along one dimension.
struct RankLine {
  DimensionKind kind = DimensionKind::switched;
  double size = 1.0;    ///< size of the dimension
  double ranks = 1.0;   ///< ranks of the group, at least 2
  double stride = 1.0;  ///< distance between ranks = number of groups that share the links of a ring
};

/// The dimensions along which a group has several ranks.
struct TierLines {
  std::array<RankLine, most_dimensions> lines;
  std::size_t count = 0;
  double sharing = 1.0;  ///< number of dimensions, which divide the bandwidth of a device evenly
  [[nodiscard]] std::span<const RankLine> all() const { return {lines.data(), count}; }
};

/// Ranks fill the innermost dimensions first. No lines where the tier has no dimensions, or the group one rank.
[[nodiscard]] TierLines tier_lines(const GroupPlace& group, const Dimensions& dimensions, Tier tier);

/// Rate of one pass (all-gather or reduce-scatter): c ranks of a line with stride t send b/t on a whole ring, half of
/// it on a part of a ring, b through a switch, (c-1)/(x-1) b in a clique of x. With several lines, orders of dimensions
/// are mixed so that no line is idle. The rate is the minimum over sets A of lines of r(A) (P-1)/(P_A-1), where r(A) is
/// the sum of their rates, P the product of ranks of all lines and P_A that of the lines in A: a bound for every order.
/// `device` without lines.
[[nodiscard]] Bandwidth pass_bandwidth(const TierLines& lines, Bandwidth device);

/// Rate of an all-to-all: S (P-1)/P bytes per rank over its time, all dimensions at once. Of S bytes a line of c ranks
/// carries floor(c^2/4)/c t on a ring, twice that on a part of a ring, (c-1)/c through a switch, (x-1)/c in a clique of
/// x. The slowest line limits the rate.
[[nodiscard]] Bandwidth all_to_all_bandwidth(const TierLines& lines, Bandwidth device);

/// Rate from a rank to the next along the first line: b/2 over the stride on a ring, b through a switch, b/(x-1) in a
/// clique. Pre: there is a line.
[[nodiscard]] Bandwidth next_bandwidth(const TierLines& lines, Bandwidth device);

/// Hops of one pass: c-1 steps of t hops on a ring, c-1 through a switch, 1 in a clique.
[[nodiscard]] double pass_hops(const TierLines& lines);

/// Hops from a rank to the next: t on a ring, otherwise 1. Pre: there is a line.
[[nodiscard]] double next_hops(const TierLines& lines);

}  // namespace dfsweep
