/// Quadratic loss surfaces over (ln lr, ln B), one per group.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/law_fits/runs/selection.hpp"
#include "models/laws/hessian.hpp"

namespace dfsweep::law_fits {

/// Why a fit is unusable; reported in results, never as an exception.
enum class FitDefect : std::uint8_t {
  none,
  too_few_runs,          ///< too few runs in a group
  too_few_groups,        ///< too few groups for the coefficients of a law
  singular_design,       ///< constant or collinear features
  indefinite_hessian,    ///< the surface has no minimum
  optimum_outside_grid,  ///< the minimum of the surface is outside the runs
  not_converged,
};
/// Message: "fewer than 11 runs near the optimum".
[[nodiscard]] std::string_view describe(FitDefect defect);

/// ln L = c0 + cx x' + cy y' + cxx x'^2 + cxy x'y' + cyy y'^2 by least squares, x' = x - mean x, y' = y - mean y.
struct QuadraticSurface {
  FitDefect defect = FitDefect::none;  ///< with too_few_runs and singular_design everything below `n` is NaN
  double n = 0.0;
  LogPoint centre;  ///< mean of the runs
  double c0 = 0.0, cx = 0.0, cy = 0.0, cxx = 0.0, cxy = 0.0, cyy = 0.0;
  double rms = 0.0;  ///< sqrt(RSS / (n - 6))
  Hessian hessian;
  LogPoint optimum;
  double minimum = 0.0;  ///< ln L at the optimum
  bool inside_grid = false;
};

/// Minimum number of runs for a surface.
inline constexpr double least_surface_runs = 11.0;

[[nodiscard]] QuadraticSurface fit_quadratic(const SelectedGroup& group, std::size_t window);

/// [group] Surfaces at a window.
[[nodiscard]] std::vector<QuadraticSurface> fit_quadratics(const SelectedRuns& runs, double window);

}  // namespace dfsweep::law_fits
