/// RunCost: extrapolates the cost of a sweep from rounds of sampled points.
#pragma once

#include <cstdint>
#include <span>

namespace dfsweep {

/// Sampled points, evaluated twice; the difference is the one-off cost of filling caches.
struct CostRound {
  std::uint64_t points = 0;
  double first_seconds = 0.0;
  double again_seconds = 0.0;
};

struct RunCost {
  double seconds_per_point = 0.0;  ///< with filled caches
  double filling_seconds = 0.0;    ///< one-off cost of filling caches
};

/// The cost of `kept` points. The model: after n points, a point spends time proportional to exp(-n / K) on filling, as
/// for a cache of K values that points use at random. The last two rounds give K; if the second round is no faster,
/// nothing is shared. Pre: `rounds` is not empty and no round is; the last two have the same number of points, or the
/// last one has all points.
[[nodiscard]] RunCost cost_of_all(std::span<const CostRound> rounds, std::uint64_t kept);

}  // namespace dfsweep
