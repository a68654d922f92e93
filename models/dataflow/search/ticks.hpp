/// Ticks and whole bytes: the integers of the exact search.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/units.hpp"

namespace dfsweep::dataflow {

using Ticks = std::int64_t;
using WholeBytes = std::int64_t;

inline constexpr std::size_t most_kernels = 64;
/// Infinity of Ticks and WholeBytes; a quarter of the range, so that the sum of a few does not overflow.
inline constexpr std::int64_t int_infinity = std::numeric_limits<std::int64_t>::max() / 4;

/// Seconds per tick: a power of two such that `longest` seconds are 2^57 to 2^58 ticks.
inline double tick_for(double longest) {
  int exponent = 0;
  std::frexp(longest, &exponent);
  return std::ldexp(1.0, exponent - 58);
}

inline Ticks whole_ticks(Seconds time, double seconds_per_tick) {
  return static_cast<Ticks>(std::nearbyint(time.value() / seconds_per_tick));
}

}  // namespace dfsweep::dataflow
