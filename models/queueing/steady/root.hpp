/// Roots of growing functions of one unknown.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dfsweep::queueing {

/// A growing function of two positive numbers that is 0 where they are equal, -1 where the first is 0, and 1 where it
/// is infinite: what solvers look at, because it is bounded where queues are not.
[[nodiscard]] inline double relative_excess(double value, double wanted) {
  return value < 1e300 ? (value - wanted) / (value + wanted) : 1.0;
}

/// The last two arguments of a search and the root of the line through them.
struct RootBracket {
  double before = 0.0;
  double last = 0.0;
  double root = 0.0;
};

/// What a growing function is taken for far from its root: relative_excess of a number that grows in proportion to its
/// argument, or a line.
enum class FarFromRoot : std::uint8_t { proportion, line };

/// Root in (0, high] of a growing function that is `at_high` >= 0 at `high`, and below 0 near 0. Far from the root, the
/// next argument is where a proportion would be 0; near it, and with `line` everywhere, secants through the last two
/// arguments. Where one leaves the bracket, or three of them have not halved it, it is halved. Ends where the next step
/// would be shorter than `tolerance` of the argument, so that the line through the last two arguments gives the root to
/// about the square of it. The result depends on the arguments only, and not on where a neighbour's root is. `first`: a
/// guess, used where it is inside. Source: [dekker]
template <class Function>
[[nodiscard]] RootBracket growing_root(const Function& function, double high, double at_high, double first,
                                       double tolerance, FarFromRoot shape) {
  const double far = shape == FarFromRoot::proportion ? 0.25 : INFINITY;
  double low = 0.0;
  double x0 = high;
  double y0 = at_high;
  double x1 = first > low && first < high ? first : 0.5 * high;
  double width = high;  // of the bracket, three steps ago
  for (int k = 1;; ++k) {
    const double y1 = function(x1);
    (y1 > 0.0 ? high : low) = x1;
    // Below the bracket where the line is level, so that the bracket is halved.
    const double secant = y1 == y0 ? -1.0 : x1 - y1 * (x1 - x0) / (y1 - y0);
    double next = std::abs(y1) > far ? x1 * (1.0 - y1) / (1.0 + y1) : secant;
    if (y1 == 0.0) next = x1;
    if ((next >= low && next <= high && std::abs(next - x1) <= tolerance * x1) || k == 200) return {x0, x1, next};
    const bool slow = k % 3 == 0 && high - low > 0.5 * width;
    if (k % 3 == 0) width = high - low;
    if (!(next > low && next < high) || slow) next = 0.5 * (low + high);
    if (high - low <= 1e-15 * high) return {x0, x1, x1};
    x0 = x1;
    y0 = y1;
    x1 = next;
  }
}

}  // namespace dfsweep::queueing
