/// Joint surface: one curvature for all groups, whose optima follow a law: t = c_g + 0.5 (z - z*_g)' H (z - z*_g).
#pragma once

#include <span>

#include "models/law_fits/surfaces/joint_moments.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

struct JointSurface {
  FitDefect defect = FitDefect::none;  ///< coefficients are NaN with any defect but indefinite_hessian
  ScalingLaw law;
  Hessian hessian;
  double n = 0.0;            ///< runs
  double rss = 0.0;          ///< residual sum of squares of ln L
  double residual_sd = 0.0;  ///< sqrt(RSS / (n - groups - coefficients of the law - 3))
  std::size_t iterations = 0;
};

/// For forms with the same features for both targets: with p = -H a and q = -H b the model is linear in (H, p, q), so
/// one solve is exact:
/// t = c_g + h1 x^2/2 + h2 x y + h3 y^2/2 + x (p.f) + y (q.f).
[[nodiscard]] JointSurface fit_joint_linear(std::span<const JointMoments> groups, FeatureSet features);

/// For any form, by damped Newton steps on the sums, starting from a law and a curvature.
[[nodiscard]] JointSurface fit_joint(std::span<const JointMoments> groups, const LawForm& form, const ScalingLaw& start,
                                     const Hessian& start_hessian);

/// Default start value of the curvature.
inline constexpr Hessian usual_hessian = {0.013, -0.005, 0.012};

}  // namespace dfsweep::law_fits
