/// Absent numbers: NaN represents a number that was not given, is not known or does not apply.
#pragma once

#include <limits>

#include "models/units.hpp"

namespace dfsweep {

inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

[[nodiscard]] constexpr bool is_given(double number) {
  return number == number;
}

template <class D>
[[nodiscard]] constexpr bool is_given(Quantity<D> quantity) {
  return is_given(quantity.value());
}

}  // namespace dfsweep
