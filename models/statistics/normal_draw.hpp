/// Normal numbers by their place in a stream.
#pragma once

#include <cstdint>

#include "models/statistics/counter_random.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::hyperparameters {

/// A standard normal number from the middle of one of 2^52 equal parts of (0, 1).
[[nodiscard]] inline double normal_draw(const CounterRandom& random, std::uint64_t k) {
  return normal_quantile((static_cast<double>(random.at(k) >> 12) + 0.5) * 0x1p-52);
}

}  // namespace dfsweep::hyperparameters
