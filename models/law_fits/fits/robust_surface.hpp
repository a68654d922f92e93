/// The joint surface with Huber's loss, so that single bad runs and the steep far side of the basin count less.
#pragma once

#include <span>

#include "models/law_fits/surfaces/joint_surface.hpp"

namespace dfsweep::hyperparameters {

/// M-estimate of the joint surface: residuals of ln L beyond 1.345 robust standard deviations (1.4826 times the median
/// of the absolute residuals) count by their size and not by its square. Iteratively reweighted least squares.
/// Pre: runs.kept_below >= window.
[[nodiscard]] JointSurface fit_robust_joint(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                            double window, const LawForm& form);

/// Least squares of the joint surface, linear where the form allows, else started from the kept runs of the window.
[[nodiscard]] JointSurface fit_plain_joint(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                                           const LawForm& form);

}  // namespace dfsweep::hyperparameters
