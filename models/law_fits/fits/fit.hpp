/// Fits of scaling laws to selected runs, by method.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/law_fits/fits/regression.hpp"
#include "models/law_fits/surfaces/joint_surface.hpp"

namespace dfsweep::law_fits {

/// Fits a law to some of the groups. The quadratic methods ignore groups whose surface has a defect.
/// Pre: method.window is one of runs.windows; robust_surface: runs.kept_below >= method.window.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                             const FitMethod& method);
/// Fits a law to all groups.
[[nodiscard]] LawFit fit_law(const SelectedRuns& runs, const LawForm& form, const FitMethod& method);

/// A law with given exponents and an intercept fitted to the kept runs of all groups, for laws published without
/// intercept.
[[nodiscard]] PowerLaw with_fitted_intercept(const SelectedRuns& runs, const PowerLaw& learning_rate, double window);

}  // namespace dfsweep::law_fits
