/// Shared surface: loss surfaces of one shape for all groups, with a separate optimum per group and its covariance.
///
///     t_i = c_g + s(z_i - z*_g),  z = (ln lr, ln B),  t = ln L,
///     s(u, v) = a1 u^2 + a2 u v + a3 v^2  [+ a4 u^3 + a5 u^2 v + a6 u v^2 + a7 v^3]
///
/// The dependence of z*_g on the scale of a group is free. The cubic terms model the skew of real basins (steeper
/// towards high learning rates); without them the optima depend on the window. Source:
/// docs/models/hyperparameters-uncertainty.md, the law with intervals.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

enum class SurfaceShape : std::uint8_t { quadratic, cubic };
inline constexpr std::size_t most_shape_terms = 7;
[[nodiscard]] constexpr std::size_t shape_terms(SurfaceShape shape) {
  return shape == SurfaceShape::quadratic ? 3 : most_shape_terms;
}

/// Selection of the runs of a group.
enum class RunWindow : std::uint8_t {
  by_loss,  ///< rel < window; selection by noisy losses makes the curvature a few per cent too small
  by_fit    ///< within the window of a first fit; without this bias, but with steep flanks of real basins
};

/// Symmetric 2 x 2 matrix over (ln lr, ln B).
struct PlaneCovariance {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
};

struct LocatedOptimum {
  FitDefect defect = FitDefect::none;  ///< the rest is NaN with too few runs or a singular design
  double n = 0.0;                      ///< number of used runs
  LogPoint optimum;
  PlaneCovariance covariance;                               ///< conditional on the shape
  std::array<LogPoint, most_shape_terms> shape_response{};  ///< d optimum / d coefficient of the shape
};

struct SharedSurface {
  FitDefect defect = FitDefect::none;
  SurfaceShape shape = SurfaceShape::quadratic;
  std::array<double, most_shape_terms> coefficient{};  ///< a1 ... a7
  std::vector<double> covariance;                      ///< [term][term] covariance of the coefficients
  double n = 0.0;                                      ///< runs
  double residual_sd = 0.0;                            ///< sqrt(RSS / (n - 3 groups - terms))
  std::size_t iterations = 0;
  std::vector<LocatedOptimum> groups;  ///< in the order of the given groups

  /// Second derivatives at the optimum.
  [[nodiscard]] Hessian hessian() const { return {2.0 * coefficient[0], coefficient[1], 2.0 * coefficient[2]}; }
};

/// Least squares by Gauss-Newton, starting from the quadratic shape, whose equations are linear. Pre: runs.kept_below
/// >= window, or twice the window for by_fit; a quadratic shape by_loss needs only sums if window is one of
/// runs.windows.
[[nodiscard]] SharedSurface fit_shared_surface(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                               double window, SurfaceShape shape,
                                               RunWindow chosen = RunWindow::by_loss);

}  // namespace dfsweep::law_fits
