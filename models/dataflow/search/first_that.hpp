/// first_that: binary search for the least number for which a condition holds.
#pragma once

namespace dfsweep::dataflow {

/// Least number in [low, high) for which the condition holds; `high` where it never does. Pre: once it holds it holds
/// for all larger ones.
template <class Number, class Condition>
[[nodiscard]] constexpr Number first_that(Number low, Number high, Condition condition) {
  while (low < high) {
    const Number middle = low + (high - low) / 2;
    if (condition(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace dfsweep::dataflow
