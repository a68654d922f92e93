/// Ticks and whole bytes: the numbers in which the exact search adds and compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace dfsweep {

using Ticks = std::int64_t;
using WholeBytes = std::int64_t;

inline constexpr std::size_t most_kernels = 64;
inline constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace dfsweep
