/// Quadratic loss surfaces over (ln lr, ln B): one per group, and what follows from its shape.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/law_fits/runs/selection.hpp"

namespace dfsweep::hyperparameters {

/// Why a fit is not to be trusted; in results, never an exception.
enum class FitDefect : std::uint8_t {
  none,
  too_few_runs,          ///< of a group
  too_few_groups,        ///< for the coefficients of a law
  singular_design,       ///< features that do not vary, or vary together
  indefinite_hessian,    ///< the surface has no minimum
  optimum_outside_grid,  ///< the surface's minimum is beyond the runs
  not_converged,
};
/// For people: "fewer than 11 runs".
[[nodiscard]] std::string_view describe(FitDefect defect);

/// Second derivatives of ln L.
struct Hessian {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  [[nodiscard]] double determinant() const { return xx * yy - xy * xy; }
  [[nodiscard]] bool positive_definite() const { return xx > 0.0 && determinant() > 0.0; }
  bool operator==(const Hessian&) const = default;
};

/// (lowest, highest).
struct Eigenvalues {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] Eigenvalues eigenvalues(const Hessian& hessian);
/// d ln B / d ln lr along the direction in which the loss rises least.
[[nodiscard]] double ridge_slope(const Hessian& hessian);
/// Where the loss is least: -H^-1 gradient. Pre: H is not singular.
[[nodiscard]] LogPoint minus_inverse(const Hessian& hessian, LogPoint gradient);
/// exp(0.5 d' H d) - 1, d = point - optimum.
[[nodiscard]] double loss_excess(const Hessian& hessian, LogPoint optimum, LogPoint point);

/// The set { z : (z - z*)' H (z - z*) <= 2 ln(1 + d) } of excess d.
struct Plateau {
  double half_width_x = 0.0;  ///< marginal, in ln lr: sqrt(2 ln(1 + d) (H^-1)_xx)
  double half_width_y = 0.0;  ///< marginal, in ln B
  double area = 0.0;          ///< 2 pi ln(1 + d) / sqrt(det H)
};
/// Pre: H is positive definite.
[[nodiscard]] Plateau plateau(const Hessian& hessian, double excess);
/// `count` points of the border, anticlockwise from the direction of +x.
[[nodiscard]] std::vector<LogPoint> plateau_border(const Hessian& hessian, LogPoint optimum, double excess,
                                                   std::size_t count);

/// ln L = c0 + cx x' + cy y' + cxx x'^2 + cxy x'y' + cyy y'^2 by least squares, x' = x - mean x, y' = y - mean y.
struct QuadraticSurface {
  FitDefect defect = FitDefect::none;  ///< too few runs and singular design leave everything below `n` NaN
  double n = 0.0;
  LogPoint centre;  ///< mean of the runs
  double c0 = 0.0, cx = 0.0, cy = 0.0, cxx = 0.0, cxy = 0.0, cyy = 0.0;
  double rms = 0.0;  ///< sqrt(RSS / (n - 6))
  Hessian hessian;
  LogPoint optimum;
  double minimum = 0.0;  ///< ln L at the optimum
  bool inside_grid = false;
};

/// Fewest runs that a surface is fitted to.
inline constexpr double least_surface_runs = 11.0;

[[nodiscard]] QuadraticSurface fit_quadratic(const SelectedGroup& group, std::size_t window);

/// Surfaces of all groups at a window, [group].
[[nodiscard]] std::vector<QuadraticSurface> fit_quadratics(const SelectedRuns& runs, double window);

}  // namespace dfsweep::hyperparameters
