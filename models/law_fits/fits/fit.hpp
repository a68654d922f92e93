/// Fits of scaling laws to selected runs by every estimator.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/law_fits/fits/regression.hpp"
#include "models/law_fits/surfaces/joint_surface.hpp"

namespace dfsweep::hyperparameters {

/// Fits to some of the groups. Groups whose own surface has a defect take no part in the quadratic methods.
/// Pre: method.window is one of runs.windows; robust_surface: runs.kept_below >= method.window.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                             const FitMethod& method);
/// To all groups.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, const LawForm& form, const FitMethod& method);

/// A law of given exponents with its intercept fitted to the kept runs of all groups, for laws published without one.
[[nodiscard]] PowerLaw with_fitted_intercept(const SelectedRuns& runs, const PowerLaw& learning_rate, double window);

}  // namespace dfsweep::hyperparameters
