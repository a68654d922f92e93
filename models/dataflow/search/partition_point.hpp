/// partition_point: binary search in a range of whole numbers, as std::partition_point in a range of elements.
#pragma once

namespace dfsweep::dataflow {

/// Least number in [low, high) for which the condition does not hold; `high` if it holds for all of them. Pre: once it
/// does not hold, it holds for no larger number.
template <class Number, class Condition>
[[nodiscard]] constexpr Number partition_point(Number low, Number high, Condition holds) {
  while (low < high) {
    const Number middle = low + (high - low) / 2;
    if (holds(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace dfsweep::dataflow
