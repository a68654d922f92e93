/// Fits of scaling laws to selected runs: the estimators by name, and what each of them gives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/hyperparameters/joint_surface.hpp"
#include "models/hyperparameters/target_fit.hpp"

namespace dfsweep {

enum class LawEstimator : std::uint8_t {
  argmin,              ///< the best run of each group
  kept_rows,           ///< every run near the best, all as equals
  quadratic,           ///< the minimum of each group's surface
  quadratic_weighted,  ///< the same, weighted by that surface's curvature
  joint_surface,       ///< one curvature for all groups
  robust_surface,      ///< joint surface whose residuals are bounded (Huber)
};

struct FitMethod {
  LawEstimator estimator = LawEstimator::kept_rows;
  double window = 0.0025;  ///< bound on rel; not used by argmin
  bool operator==(const FitMethod&) const = default;
};
/// "argmin", "near0.25", "quad1", "quad1_Hweighted", "joint_surface1", "joint_huber2": windows in per cent.
[[nodiscard]] std::string method_name(const FitMethod& method);
/// The methods that a fit reports, at windows of `fit_windows`.
[[nodiscard]] std::span<const FitMethod> fit_methods();

struct LawFit {
  LawForm form;
  FitMethod method;
  FitDefect defect = FitDefect::none;  ///< coefficients are NaN unless none
  TargetFit learning_rate;
  TargetFit batch_tokens;
  [[nodiscard]] ScalingLaw law() const { return {learning_rate.law, batch_tokens.law}; }
};

/// Fits to some of the groups. Groups whose own surface has a defect take no part in the quadratic methods.
/// Pre: method.window is one of runs.windows; robust_surface: runs.kept_below >= method.window.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                             const FitMethod& method);
/// To all groups.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, const LawForm& form, const FitMethod& method);

/// Rows of the learning rate and of the batch that argmin, kept_rows and quadratic regress on, of the groups that take
/// part; `members`: which these are.
struct RegressionRows {
  std::vector<std::size_t> members;
  std::vector<TargetSums> learning_rate;  ///< [member]
  std::vector<TargetSums> batch_tokens;   ///< [member]
};
[[nodiscard]] RegressionRows regression_rows(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                             const FitMethod& method);

/// A law of given exponents with its intercept fitted to the kept runs of all groups, for laws published without one.
[[nodiscard]] PowerLaw with_fitted_intercept(const SelectedRuns& runs, const PowerLaw& learning_rate, double window);

}  // namespace dfsweep
