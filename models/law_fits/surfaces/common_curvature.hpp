/// Common curvature: the second derivatives of ln L at the optimum that groups share, each about an optimum of its own.
///
/// Where groups scatter about a law, a surface whose optima must lie on the law takes their distances from it for
/// flatness. Here the optima are free, so scatter between groups does not change the curvature. Source:
/// docs/models/hyperparameters.md, the curvature.
#pragma once

#include <span>

#include "models/law_fits/surfaces/shared_surface.hpp"

namespace dfsweep::law_fits {

struct CommonCurvature {
  double window = 0.0;    ///< bound on rel of the runs
  SharedSurface surface;  ///< its defect says why there is no curvature; optima in the order of the given groups
  [[nodiscard]] bool is_known() const {
    return surface.defect == FitDefect::none && surface.hessian().positive_definite();
  }
};

/// The shape through the runs within 1 %, else 2, else 4 % of their group's least loss: the first window in which a
/// shape can be fitted and at least half of the groups have enough runs; if no window has that many, the widest that
/// has a shape. Cubic where single runs are known and determine it, else quadratic. Pre: 0.01, 0.02 and 0.04 are among
/// runs.windows.
[[nodiscard]] CommonCurvature fit_common_curvature(const SelectedRuns& runs, std::span<const std::size_t> groups);

}  // namespace dfsweep::law_fits
