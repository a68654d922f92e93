/// The range of scales that a law was fitted to: outside it, what the law says is an extrapolation.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "models/laws/law.hpp"
#include "models/statistics/interval.hpp"

namespace dfsweep::hyperparameters {

/// Least and greatest N, Na and D.
struct ScaleRange {
  Interval parameters;
  Interval activated_parameters;
  Interval train_tokens;
  [[nodiscard]] bool contains(const TrainingScale& scale) const {
    return parameters.covers(scale.parameters) && activated_parameters.covers(scale.activated_parameters) &&
           train_tokens.covers(scale.train_tokens);
  }
  bool operator==(const ScaleRange&) const = default;
};

/// The smallest range that contains all `scales`. Pre: not empty.
[[nodiscard]] inline ScaleRange range_of(std::span<const TrainingScale> scales) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ScaleRange range{{infinity, 0.0}, {infinity, 0.0}, {infinity, 0.0}};
  const auto widen = [](Interval& interval, double value) {
    interval = {std::min(interval.low, value), std::max(interval.high, value)};
  };
  for (const TrainingScale& scale : scales) {
    widen(range.parameters, scale.parameters);
    widen(range.activated_parameters, scale.activated_parameters);
    widen(range.train_tokens, scale.train_tokens);
  }
  return range;
}

}  // namespace dfsweep::hyperparameters
