/// RunCost: what all points of a sweep cost, judged by rounds of sampled ones.
#pragma once

#include <cstdint>
#include <span>

namespace dfsweep {

/// Sampled points, evaluated twice: what makes the second time shorter was filled by the first and is kept.
struct CostRound {
  std::uint64_t points = 0;
  double first_seconds = 0.0;
  double again_seconds = 0.0;
};

struct RunCost {
  double seconds_per_point = 0.0;  ///< once all that points share is filled
  double filling_seconds = 0.0;    ///< of all that points share
};

/// The cost of `kept` points. The seconds that a point spends on filling are taken to fall with the number n of points
/// before it like exp(-n / K), as those of a table with K values that points use at random. What the last two rounds
/// spend gives K; where the second of them spends no less, each point has something of its own. Pre: rounds is not
/// empty, none without points; the last two have equally many, or the last has all.
[[nodiscard]] RunCost cost_of_all(std::span<const CostRound> rounds, std::uint64_t kept);

}  // namespace dfsweep
