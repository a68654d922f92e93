/// Smooth sums and minima of times, from square roots only, which are the same on every processor.
#pragma once

#include <algorithm>
#include <cmath>

namespace dfsweep::operators {

/// sqrt(a^2 + b^2): two activities that overlap. Pre: both >= 0.
[[nodiscard]] inline double overlapped(double a, double b) {
  return std::sqrt(a * a + b * b);
}

/// (sqrt(a) + sqrt(b))^2, more than the sum: two activities that hinder each other. Pre: both >= 0.
[[nodiscard]] inline double hindered(double a, double b) {
  return a + b + 2.0 * std::sqrt(a * b);
}

/// (a^-4 + b^-4)^(-1/4): the faster of two ways, smooth where they are equal. Pre: both >= 0.
[[nodiscard]] inline double faster_way(double a, double b) {
  const double larger = std::max(a, b);
  if (!(larger > 0.0)) return 0.0;
  const double ratio = std::min(a, b) / larger;
  const double square = ratio * ratio;
  return std::min(a, b) / std::sqrt(std::sqrt(1.0 + square * square));
}

}  // namespace dfsweep::operators
