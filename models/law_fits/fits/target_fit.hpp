/// Least squares of one target of a law, from sums per group.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/law_basis.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::hyperparameters {

/// Rows of one group, all with that group's features, measured from the group's `origin`.
struct TargetSums {
  std::array<double, law_feature_count> features{};
  double origin = 0.0;
  double n = 0.0;       ///< rows
  double sum = 0.0;     ///< of value - origin
  double square = 0.0;  ///< of (value - origin)^2
};

/// One target of a law.
struct TargetFit {
  PowerLaw law;
  PowerLaw standard_error;   ///< of least squares with equal weights; NaN where the method has none
  double n = 0.0;            ///< rows of the regression
  double residual_sd = 0.0;  ///< sqrt(RSS / (n - coefficients)); NaN where the method has none
};

/// Everything NaN.
[[nodiscard]] TargetFit without_target(double n);

/// Ordinary least squares over all rows; the defect is none, too_few_groups or singular_design.
struct FittedTarget {
  FitDefect defect = FitDefect::none;
  TargetFit fit;
};
[[nodiscard]] FittedTarget fit_target(std::span<const TargetSums> groups, FeatureSet features);

/// Means over the rows.
[[nodiscard]] std::array<double, law_feature_count> mean_features(std::span<const TargetSums> groups);
/// Mean of the values over the rows.
[[nodiscard]] double mean_value(std::span<const TargetSums> groups);

}  // namespace dfsweep::hyperparameters
