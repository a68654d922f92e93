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

/// The nearest key itself where the point is measured. Pre: `nearest` has a row.
[[nodiscard]] inline NearestRatio ratio_of(const Nearest& nearest, std::span<const float> log_ratios) {
  const float least = nearest.squared_distance(0);
  if (!(least > 0.0F)) return {log_ratios[nearest.row(0)], 0.0F, 0.0F};
  float weights = 0.0F;
  float sum = 0.0F;
  float squares = 0.0F;
  for (std::size_t i = 0; i < neighbours && nearest.row(i) != absent_row; ++i) {
    const float weight = least / nearest.squared_distance(i);
    const float value = log_ratios[nearest.row(i)];
    weights += weight;
    sum += weight * value;
    squares += weight * value * value;
  }
  const float mean = sum / weights;
  const float variance = squares / weights - mean * mean;
  return {mean, std::sqrt(least), std::sqrt(variance > 0.0F ? variance : 0.0F)};
}

}  // namespace dfsweep::operators
