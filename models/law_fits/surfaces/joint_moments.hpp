/// Joint moments: centred sums of one group for the fit of a shared curvature.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/law_fits/runs/selection.hpp"

namespace dfsweep::law_fits {

/// With q = (u^2/2, u v, v^2/2, u, v) and the constant c_g eliminated by subtracting means, the residual sum of squares
/// of s = w.q is  ss - 2 w.qs + w' qq w.
struct JointMoments {
  std::array<std::array<double, 5>, 5> qq{};
  std::array<double, 5> qs{};
  double ss = 0.0;
  double n = 0.0;
  LogPoint reference;                                ///< origin of (u, v)
  std::array<double, law_feature_count> features{};  ///< ln N, ln Na, ln D, ln C of the group
};

[[nodiscard]] JointMoments joint_moments(const RunMoments& moments, LogPoint reference, const TrainingScale& scale);
/// Moments of some groups at a window; a group may occur several times.
[[nodiscard]] std::vector<JointMoments> joint_moments(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                      std::size_t window);

}  // namespace dfsweep::law_fits
