/// The narrowest window first: farther from the optimum a basin is less and less like its second derivatives.
#include "models/law_fits/surfaces/common_curvature.hpp"

#include <algorithm>

namespace dfsweep::law_fits {

namespace {

constexpr double curvature_windows[] = {0.01, 0.02, 0.04};

bool locates_half(const SharedSurface& surface) {
  const auto located = std::count_if(surface.groups.begin(), surface.groups.end(), [](const LocatedOptimum& group) {
    return group.defect == FitDefect::none || group.defect == FitDefect::optimum_outside_grid;
  });
  return 2 * static_cast<std::size_t>(located) >= surface.groups.size();
}

}  // namespace

CommonCurvature fit_common_curvature(const SelectedRuns& runs, std::span<const std::size_t> groups) {
  CommonCurvature widest;
  for (const double window : curvature_windows)
    for (const SurfaceShape shape : {SurfaceShape::cubic, SurfaceShape::quadratic}) {
      if (shape == SurfaceShape::cubic && runs.kept_below < window) continue;
      const CommonCurvature found{window, fit_shared_surface(runs, groups, window, shape)};
      if (found.is_known() && locates_half(found.surface)) return found;
      if (found.is_known() || !widest.is_known()) widest = found;
    }
  return widest;
}

}  // namespace dfsweep::law_fits
