/// Roots of growing functions of one unknown.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "models/lanes.hpp"

namespace dfsweep::queueing {

/// A growing function of two positive numbers that is 0 where they are equal, -1 where the first is 0, and 1 where it
/// is infinite: what solvers look at, because it is bounded where queues are not.
template <class Number>
[[nodiscard]] inline Number relative_excess(const Number& value, const std::type_identity_t<Number>& wanted) {
  return choose(value < 1e300, (value - wanted) / (value + wanted), 1.0);
}

/// The last two arguments of a search and the root of the line through them.
template <class Number>
struct RootBracket {
  Number before = 0.0;
  Number last = 0.0;
  Number root = 0.0;
};

/// What a growing function is taken for far from its root: relative_excess of a number that grows in proportion to its
/// argument, or a line.
enum class FarFromRoot : std::uint8_t { proportion, line };

/// Where a search begins.
template <class Number>
struct RootStart {
  Number high = 0.0;     ///< the function is not negative there
  Number at_high = 0.0;  ///< its value there
  Number first = 0.0;    ///< a guess, used where it is inside
};

/// Root in (0, high] of a growing function that is `at_high` >= 0 at `high`, and below 0 near 0. Far from the root, the
/// next argument is where a proportion would be 0; near it, and with `line` everywhere, secants through the last two
/// arguments. Where one leaves the bracket, or three of them have not halved it, it is halved. Ends where the next step
/// would be shorter than `tolerance` of the argument, so that the line through the last two arguments gives the root to
/// about the square of it. The result depends on the arguments only, and not on where a neighbour's root is.
/// `function(x, stays)`: lanes that stay have the argument that they had before. `wanted`: the lanes whose root is
/// looked for. Source: [dekker]
template <class Number, class Function>
[[nodiscard]] inline RootBracket<Number> growing_root(const Function& function, const RootStart<Number>& start,
                                                      double tolerance, FarFromRoot shape,
                                                      MaskOf<Number> wanted = MaskOf<Number>(true)) {
  constexpr int most_steps = 200;
  const double far = shape == FarFromRoot::proportion ? 0.25 : INFINITY;
  Number low = 0.0;
  Number high = start.high;
  Number x0 = high;
  Number y0 = start.at_high;
  Number x1 = choose((start.first > low) & (start.first < high), start.first, 0.5 * high);
  Number width = high;  // of the bracket, three steps ago
  MaskOf<Number> ends = !wanted;
  for (int k = 1;; ++k) {
    const Number y1 = function(x1, ends);
    const MaskOf<Number> is_above = y1 > 0.0;
    high = choose(is_above, x1, high);
    low = choose(is_above, low, x1);
    const MaskOf<Number> is_far = magnitude(y1) > far;
    Number next = -1.0;  // below the bracket where the line is level, so that the bracket is halved
    if (any(!is_far)) next = choose(y1 == y0, next, x1 - y1 * (x1 - x0) / (y1 - y0));
    if (any(is_far)) next = choose(is_far, x1 * (1.0 - y1) / (1.0 + y1), next);
    next = choose(y1 == 0.0, x1, next);
    const MaskOf<Number> is_near = (next >= low) & (next <= high) & (magnitude(next - x1) <= tolerance * x1);
    const MaskOf<Number> is_narrow = high - low <= 1e-15 * high;
    ends = ends | is_near | is_narrow;
    if (!any(!ends) || k == most_steps) return {x0, x1, choose(is_narrow & !is_near, x1, next)};
    const bool looks_back = k % 3 == 0;
    const MaskOf<Number> is_slow = MaskOf<Number>(looks_back) & (high - low > 0.5 * width);
    if (looks_back) width = high - low;
    next = choose((next > low) & (next < high) & !is_slow, next, 0.5 * (low + high));
    x0 = choose(ends, x0, x1);
    y0 = choose(ends, y0, y1);
    x1 = choose(ends, x1, next);
  }
}

/// Root in (0, high] of a function that is -1 at 0 and grows through 0, and may be infinite above the root. Each
/// argument is where the inverse parabola through the last three points, of which 0 is the first one, is 0; where that
/// leaves the bracket, or three of them have not halved it, it is halved. Ends where the line through the last two
/// arguments gives the root: the third point moves it by less than `line_error`, and steps get shorter fast. The result
/// depends on the arguments only. `function(x, stays)`: lanes that stay have the argument that they had before, or had
/// an infinite value there. `first`: where to begin, up to `high`. `wanted`: as above. Source: [brent]
template <class Number, class Function>
[[nodiscard]] inline RootBracket<Number> root_from_zero(const Function& function, Number high, const Number& first,
                                                        const MaskOf<Number>& wanted) {
  constexpr int most_steps = 200;
  constexpr double exact = 1e-9;
  constexpr double line_error = 3e-8;
  constexpr double shorter = 0.1;
  Number low = 0.0;
  Number oldest = -1.0;  // value of the third point
  Number x0 = 0.0;
  Number y0 = -1.0;
  Number slope0 = 0.0;  // of the inverse between the older two points
  Number x1 = lesser(first, high);
  Number width = high;  // of the bracket, three steps ago
  MaskOf<Number> ends = !wanted;
  MaskOf<Number> stays = ends;
  MaskOf<Number> has_three = false;
  for (int k = 1;; ++k) {
    const Number y1 = function(x1, stays);
    const MaskOf<Number> is_finite = y1 < 1e300;
    const MaskOf<Number> is_above = !(y1 <= 0.0);
    high = choose(is_above, x1, high);
    low = choose(is_above, low, x1);
    const Number slope = (x1 - x0) / (y1 - y0);
    const Number bend = choose(has_three, y1 * y0 * (slope - slope0) / (y1 - oldest), 0.0);
    Number next = x1 - y1 * slope + bend;
    const Number left = magnitude(next - x1);
    const MaskOf<Number> is_straight = magnitude(bend) <= line_error * x1;
    const MaskOf<Number> is_shorter = left <= shorter * magnitude(x1 - x0);
    const MaskOf<Number> is_line = has_three & is_straight & is_shorter;
    const MaskOf<Number> is_root = is_finite & (next >= low) & (next <= high) & (is_line | (left <= exact * x1));
    const MaskOf<Number> is_narrow = high - low <= 1e-15 * high;
    ends = ends | is_root | is_narrow;
    if (!any(!ends) || k == most_steps) return {x0, x1, choose(is_narrow & !is_root, x1, next)};
    const bool looks_back = k % 3 == 0;
    const MaskOf<Number> is_slow = MaskOf<Number>(looks_back) & (high - low > 0.5 * width);
    if (looks_back) width = high - low;
    next = choose((next > low) & (next < high) & is_finite & !is_slow, next, 0.5 * (low + high));
    stays = ends | !is_finite;
    has_three = has_three | !stays;
    oldest = choose(stays, oldest, y0);
    slope0 = choose(stays, slope0, slope);
    x0 = choose(stays, x0, x1);
    y0 = choose(stays, y0, y1);
    x1 = choose(ends, x1, next);
  }
}

}  // namespace dfsweep::queueing
