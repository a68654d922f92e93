/// One curvature for all groups whose optima follow a law: t = c_g + 0.5 (z - z*_g)' H (z - z*_g).
#pragma once

#include <span>

#include "models/hyperparameters/surface.hpp"

namespace dfsweep {

struct JointSurface {
  FitDefect defect = FitDefect::none;
  ScalingLaw law;
  Hessian hessian;
  double n = 0.0;            ///< runs
  double rss = 0.0;          ///< residual sum of squares of ln L
  double residual_sd = 0.0;  ///< sqrt(RSS / (n - groups - coefficients of the law - 3))
  std::size_t iterations = 0;
};

/// Both targets with the same features: linear in (H, H a, H b), hence exact in one solve.
[[nodiscard]] JointSurface fit_joint_linear(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                            double window, FeatureSet features);

/// Any form; Levenberg-Marquardt on the per-group sums, started from `start`.
[[nodiscard]] JointSurface fit_joint(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                                     const LawForm& form, const ScalingLaw& start);

}  // namespace dfsweep
