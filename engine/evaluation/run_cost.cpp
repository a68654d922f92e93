#include "engine/evaluation/run_cost.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

double filling_of(const CostRound& round) {
  return std::max(0.0, round.first_seconds - round.again_seconds);
}

/// Seconds of cache filling in the `left` points after the last two rounds, as a geometric series of rounds.
double filling_left(const CostRound& before, const CostRound& last, double left) {
  const double rounds_left = left / static_cast<double>(last.points);
  const double earlier = filling_of(before);
  const double later = filling_of(last);
  if (later == 0.0 || later >= earlier) return later * rounds_left;
  const double ratio = later / earlier;
  return later * ratio / (1.0 - ratio) * (1.0 - std::pow(ratio, rounds_left));
}

}  // namespace

RunCost cost_of_all(std::span<const CostRound> rounds, std::uint64_t kept) {
  DFSWEEP_EXPECT(!rounds.empty());
  const CostRound& last = rounds.back();
  RunCost cost{.seconds_per_point =
                   std::min(last.first_seconds, last.again_seconds) / static_cast<double>(last.points)};
  std::uint64_t sampled = 0;
  for (const CostRound& round : rounds) {
    cost.filling_seconds += filling_of(round);
    sampled += round.points;
  }
  if (rounds.size() > 1 && last.points < kept)
    cost.filling_seconds +=
        filling_left(rounds[rounds.size() - 2], last, static_cast<double>(kept - std::min(sampled, kept)));
  return cost;
}

}  // namespace dfsweep
