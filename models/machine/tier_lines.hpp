/// Tier lines: how the ranks of a group lie along the dimensions of a tier, and what these carry for them. A dimension
/// has an even share b of the bandwidth of a device in its tier, both ways round a ring, all links of a clique. Passes
/// and rings: [thakur] sections 3 and 4; derivations: docs/models/training.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/machine/network.hpp"

namespace dfsweep::training {

enum class Tier : std::uint8_t { inside, across, between_pods };

/// Ranks of a group along one dimension.
struct RankLine {
  network::DimensionKind kind = network::DimensionKind::switched;
  double size = 1.0;    ///< of the dimension
  double ranks = 1.0;   ///< at least 2
  double stride = 1.0;  ///< from a rank to the next: as many groups share the links of a ring
};

/// The dimensions along which a group has several ranks.
struct TierLines {
  std::array<RankLine, network::most_dimensions> lines;
  std::size_t count = 0;
  double sharing = 1.0;  ///< dimensions of the tier, which share the bandwidth of a device out evenly
  [[nodiscard]] std::span<const RankLine> all() const { return {lines.data(), count}; }
};

/// Ranks go along the innermost dimensions first. None where the tier has no dimensions, or one rank.
[[nodiscard]] TierLines tier_lines(const GroupPlace& group, const Dimensions& dimensions, Tier tier);

/// Rate of one pass (all-gather or reduce-scatter): c ranks of a line of stride t send b/t on a whole ring and half of
/// it on a part, b through a switch, (c-1)/(x-1) b in a clique of x. Of several lines, whose orders of dimensions are
/// mixed so that none is idle: the least over sets A of lines of r(A) (P-1)/(P_A-1), r the sum of their rates, P the
/// product of ranks of all lines and P_A of those in A: what crosses A whatever the order. `device` where there are no
/// lines.
[[nodiscard]] Bandwidth pass_bandwidth(const TierLines& lines, Bandwidth device);

/// Rate of an all-to-all, S (P-1)/P bytes of a rank over its time, all dimensions at once: of S bytes a line of c ranks
/// carries floor(c^2/4)/c t on a ring, twice that on a part, (c-1)/c through a switch, (x-1)/c in a clique of x. The
/// slowest line counts.
[[nodiscard]] Bandwidth all_to_all_bandwidth(const TierLines& lines, Bandwidth device);

/// Rate from a rank to the next along the first line: one link of a ring, b/2 over its stride; b of a switch; b/(x-1).
/// Pre: there are lines.
[[nodiscard]] Bandwidth next_bandwidth(const TierLines& lines, Bandwidth device);

/// Latencies of one pass: c-1 steps of t hops on a ring, c-1 through a switch, 1 in a clique.
[[nodiscard]] double pass_hops(const TierLines& lines);

/// Latencies from a rank to the next: t on a ring, else 1. Pre: there are lines.
[[nodiscard]] double next_hops(const TierLines& lines);

}  // namespace dfsweep::training
