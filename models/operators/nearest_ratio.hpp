/// NearestRatio: what the nearest measured keys say about measured over closed form.
#pragma once

#include <cmath>
#include <span>

#include "models/operators/key_lines.hpp"

namespace dfsweep::operators {

struct NearestRatio {
  float log_ratio = 0.0F;  ///< mean of ln(measured / closed form), weighted by 1 / distance^2
  float distance = 0.0F;   ///< of the nearest key, in doublings
  float spread = 0.0F;     ///< weighted standard deviation of the logarithms
};

/// Sums over the nearest keys of w, w x and w x^2 of the logarithms x, w: 1 / distance^2 relative to the nearest one.
struct WeightedSums {
  float weights = 0.0F;
  float values = 0.0F;
  float squares = 0.0F;
};

/// Pre: no key is at the point.
[[nodiscard]] inline WeightedSums weighted_sums(const Nearest& nearest, std::span<const float> log_ratios) {
  const float least = nearest.squared_distance(0);
  WeightedSums sums;
  for (std::size_t i = 0; i < neighbours && nearest.row(i) != absent_row; ++i) {
    const float weight = least / nearest.squared_distance(i);
    const float value = log_ratios[nearest.row(i)];
    sums.weights += weight;
    sums.values += weight * value;
    sums.squares += weight * value * value;
  }
  return sums;
}

/// NearestRatio::log_ratio alone. Pre: `nearest` has a row.
[[nodiscard]] inline float log_ratio_of(const Nearest& nearest, std::span<const float> log_ratios) {
  if (!(nearest.squared_distance(0) > 0.0F)) return log_ratios[nearest.row(0)];
  const WeightedSums sums = weighted_sums(nearest, log_ratios);
  return sums.values / sums.weights;
}

/// The nearest key itself where the point is measured. Pre: `nearest` has a row.
[[nodiscard]] inline NearestRatio ratio_of(const Nearest& nearest, std::span<const float> log_ratios) {
  const float least = nearest.squared_distance(0);
  if (!(least > 0.0F)) return {log_ratios[nearest.row(0)], 0.0F, 0.0F};
  const WeightedSums sums = weighted_sums(nearest, log_ratios);
  const float mean = sums.values / sums.weights;
  const float variance = sums.squares / sums.weights - mean * mean;
  return {mean, std::sqrt(least), std::sqrt(variance > 0.0F ? variance : 0.0F)};
}

}  // namespace dfsweep::operators
