/// Least squares of one target of a law, from sums per group.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/law_basis.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

/// Sums over the rows of one group, which share its features; values are relative to `origin`.
struct TargetSums {
  std::array<double, law_feature_count> features{};
  double origin = 0.0;
  double n = 0.0;       ///< rows
  double sum = 0.0;     ///< sum of value - origin
  double square = 0.0;  ///< sum of (value - origin)^2
};

/// One target of a law.
struct TargetFit {
  PowerLaw law;
  PowerLaw standard_error;   ///< for least squares with equal weights; NaN for other methods
  double n = 0.0;            ///< rows of the regression
  double residual_sd = 0.0;  ///< sqrt(RSS / (n - coefficients)); NaN for other methods
};

/// A target with all numbers NaN.
[[nodiscard]] TargetFit without_target(double n);

/// Result of ordinary least squares over all rows; the possible defects are too_few_groups and singular_design.
struct FittedTarget {
  FitDefect defect = FitDefect::none;
  TargetFit fit;
};
[[nodiscard]] FittedTarget fit_target(std::span<const TargetSums> groups, FeatureSet features);

/// Mean features over the rows.
[[nodiscard]] std::array<double, law_feature_count> mean_features(std::span<const TargetSums> groups);
/// Mean of the values over the rows.
[[nodiscard]] double mean_value(std::span<const TargetSums> groups);

}  // namespace dfsweep::law_fits
