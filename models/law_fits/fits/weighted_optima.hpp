/// Weighted optima: laws fitted to the optima of the groups' surfaces, weighted by curvature.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

/// The optimum of a group and its curvature.
struct WeightedOptimum {
  std::array<double, law_feature_count> features{};
  LogPoint optimum;
  Hessian weight;
};

struct WeightedFit {
  FitDefect defect = FitDefect::none;
  ScalingLaw law;
};

/// Minimises sum over groups of (z_law - z*)' H (z_law - z*).
[[nodiscard]] WeightedFit fit_weighted_optima(std::span<const WeightedOptimum> groups, const LawForm& form);

}  // namespace dfsweep::law_fits
