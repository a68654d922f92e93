/// Robust surface: the joint surface with Huber loss, which reduces the weight of bad runs and of the steep side of the
/// basin.
#pragma once

#include <span>

#include "models/law_fits/surfaces/joint_surface.hpp"

namespace dfsweep::law_fits {

/// M-estimate of the joint surface: residuals of ln L beyond 1.345 robust standard deviations (1.4826 times the median
/// of the absolute residuals) count linearly instead of quadratically. Iteratively reweighted least squares.
/// Pre: runs.kept_below >= window.
[[nodiscard]] JointSurface fit_robust_joint(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                            double window, const LawForm& form);

/// Least squares of the joint surface, linear where the form allows it, otherwise iterative from the law of the kept
/// runs of the window.
[[nodiscard]] JointSurface fit_plain_joint(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                                           const LawForm& form);

}  // namespace dfsweep::law_fits
