/// Roots of growing functions of one unknown.
#pragma once

#include <algorithm>
#include <cmath>

namespace dfsweep::queueing {

/// A growing function of two positive numbers that is 0 where they are equal, -1 where the first is 0, and 1 where it
/// is infinite: what solvers look at, because it is bounded where queues are not.
[[nodiscard]] inline double relative_excess(double value, double wanted) {
  return value < 1e300 ? (value - wanted) / (value + wanted) : 1.0;
}

/// Root in (0, high] of a growing function that is -1 at 0 and `at_high` >= 0 at `high`, to about 1e-11 of `high`.
/// Secants through the bracket, whose stale end loses half of its weight, so that it shrinks from both sides. `first`:
/// a guess, used where it is inside. The result depends on the arguments only. Source: [dowell-jarratt]
template <class Function>
[[nodiscard]] double growing_root(const Function& function, double high, double at_high, double first) {
  const double tolerance = 1e-11 * high;
  double low = 0.0;
  double at_low = -1.0;
  double x = first > low && first < high ? first : 0.5 * high;
  int side = 1;
  for (int k = 0; k < 200 && high - low > tolerance; ++k) {
    const double y = function(x);
    const bool above = y > 0.0;
    (above ? high : low) = x;
    (above ? at_high : at_low) = y;
    if (side == (above ? 1 : -1)) (above ? at_low : at_high) *= 0.5;
    side = above ? 1 : -1;
    const double next = std::clamp(low + (high - low) * (at_low / (at_low - at_high)), low, high);
    if (y == 0.0 || std::abs(next - x) <= tolerance) return x;
    x = next;
  }
  return x;
}

}  // namespace dfsweep::queueing
