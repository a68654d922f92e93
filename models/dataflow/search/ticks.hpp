/// Ticks and whole bytes: the numbers in which the exact search adds and compares.
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
inline constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max() / 4;

/// Seconds of a tick: a power of two, with which `longest` seconds are 2^57 to 2^58 ticks.
inline double tick_for(double longest) {
  int exponent = 0;
  std::frexp(longest, &exponent);
  return std::ldexp(1.0, exponent - 58);
}

inline Ticks whole_ticks(Seconds time, double seconds_per_tick) {
  return static_cast<Ticks>(std::nearbyint(time.value() / seconds_per_tick));
}

}  // namespace dfsweep::dataflow
