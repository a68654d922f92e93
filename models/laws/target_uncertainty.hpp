/// How well one target of a law is known at any scale.
#pragma once

#include <vector>

namespace dfsweep::hyperparameters {

/// The value at a scale is within  value +- quantile sqrt(f' C f),  f = (1, those ln quantities that the target depends
/// on, in the order N, Na, D, C, L).
struct TargetUncertainty {
  double quantile = 0.0;           ///< of the distribution of (value - truth) / standard error
  std::vector<double> covariance;  ///< C as a lower triangle, row after row
  bool operator==(const TargetUncertainty&) const = default;
};

}  // namespace dfsweep::hyperparameters
