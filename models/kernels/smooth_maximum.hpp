/// Smooth maximum: the time of two activities that overlap well but not perfectly.
/// Source: docs/models/training.md.
#pragma once

#include <cmath>

#include "models/units.hpp"

namespace dfsweep {

/// (a^4 + b^4)^(1/4): the larger one where they differ, 1.19 times either where they are equal. Pre: both >= 0.
/// Computed with square roots only, which are the same on every processor.
[[nodiscard]] inline Seconds smooth_maximum(Seconds a, Seconds b) {
  const double larger = std::fmax(a.value(), b.value());
  const double smaller = std::fmin(a.value(), b.value());
  if (smaller <= 0) return Seconds{larger};  // as below, without its roots
  const double ratio = smaller / larger;
  const double square = ratio * ratio;
  return Seconds{larger * std::sqrt(std::sqrt(1 + square * square))};
}

}  // namespace dfsweep
