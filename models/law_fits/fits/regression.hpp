/// Regression: laws fitted to one row per kept run or per group, and the names of all methods.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/law_fits/fits/target_fit.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

enum class LawEstimator : std::uint8_t {
  argmin,              ///< the best run of each group
  kept_rows,           ///< every run near the best, with equal weights
  quadratic,           ///< the minimum of each group's surface
  quadratic_weighted,  ///< as quadratic, weighted by the curvature of the surface
  joint_surface,       ///< one curvature for all groups
  robust_surface,      ///< joint surface with Huber loss
};

struct FitMethod {
  LawEstimator estimator = LawEstimator::kept_rows;
  double window = 0.0025;  ///< upper bound on rel; ignored by argmin
  bool operator==(const FitMethod&) const = default;
};
/// Name with the window in per cent: "argmin", "near0.25", "quad1", "quad1_Hweighted", "joint_surface1",
/// "joint_huber2".
[[nodiscard]] std::string method_name(const FitMethod& method);
/// The methods that a fit reports, at windows of `fit_windows`.
[[nodiscard]] std::span<const FitMethod> fit_methods();

struct LawFit {
  LawForm form;
  FitMethod method;
  FitDefect defect = FitDefect::none;  ///< coefficients are NaN with a defect
  TargetFit learning_rate;
  TargetFit batch_tokens;
  [[nodiscard]] ScalingLaw law() const { return {learning_rate.law, batch_tokens.law}; }
};

/// Rows of both targets for the regressions argmin, kept_rows and quadratic. `members`: the groups in use.
struct RegressionRows {
  std::vector<std::size_t> members;
  std::vector<TargetSums> learning_rate;  ///< [member]
  std::vector<TargetSums> batch_tokens;   ///< [member]
};
[[nodiscard]] RegressionRows regression_rows(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                             const FitMethod& method);

/// A fit without a law, with the reason.
[[nodiscard]] LawFit without_law(const LawForm& form, const FitMethod& method, FitDefect defect);

/// Ordinary least squares on regression_rows. Pre: as those.
[[nodiscard]] LawFit fit_regression(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                                    const FitMethod& method);

}  // namespace dfsweep::law_fits
