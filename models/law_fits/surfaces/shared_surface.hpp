/// Loss surfaces of one shape for all groups, each moved to an optimum of its own: where those optima are, and how well
/// they are known.
///
///     t_i = c_g + s(z_i - z*_g),  z = (ln lr, ln B),  t = ln L,
///     s(u, v) = a1 u^2 + a2 u v + a3 v^2  [+ a4 u^3 + a5 u^2 v + a6 u v^2 + a7 v^3]
///
/// Nothing is assumed about how z*_g depends on the scale of a group. The cubic terms carry the skew of real basins
/// (steeper towards high learning rates): without them the optima drift as the window grows. Source:
/// docs/models/hyperparameters-uncertainty.md, the law with intervals.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::hyperparameters {

enum class SurfaceShape : std::uint8_t { quadratic, cubic };
inline constexpr std::size_t most_shape_terms = 7;
[[nodiscard]] constexpr std::size_t shape_terms(SurfaceShape shape) {
  return shape == SurfaceShape::quadratic ? 3 : most_shape_terms;
}

/// Which runs of a group take part.
enum class RunWindow : std::uint8_t {
  by_loss,  ///< rel < window; choosing runs by noisy losses makes the fitted curvature some per cent too small
  by_fit    ///< those that a first fit puts within the window; no such bias, but steep flanks of real basins enter
};

/// Symmetric 2 x 2 matrix over (ln lr, ln B).
struct PlaneCovariance {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
};

struct LocatedOptimum {
  FitDefect defect = FitDefect::none;  ///< what follows is NaN where there are too few runs or no proper design
  double n = 0.0;                      ///< runs that took part
  LogPoint optimum;
  PlaneCovariance covariance;                               ///< given the shape
  std::array<LogPoint, most_shape_terms> shape_response{};  ///< d optimum / d coefficient of the shape
};

struct SharedSurface {
  FitDefect defect = FitDefect::none;
  SurfaceShape shape = SurfaceShape::quadratic;
  std::array<double, most_shape_terms> coefficient{};  ///< a1 ... a7
  std::vector<double> covariance;                      ///< of them, [term][term]
  double n = 0.0;                                      ///< runs
  double residual_sd = 0.0;                            ///< sqrt(RSS / (n - 3 groups - terms))
  std::size_t iterations = 0;
  std::vector<LocatedOptimum> groups;  ///< in the order of the groups that were given

  /// Second derivatives at the optimum.
  [[nodiscard]] Hessian hessian() const { return {2.0 * coefficient[0], coefficient[1], 2.0 * coefficient[2]}; }
};

/// Least squares by Gauss-Newton from the quadratic shape, whose equations are linear.
/// Pre: runs.kept_below >= window, twice that where runs are taken by_fit; a quadratic shape by_loss needs sums only,
/// where window is one of runs.windows.
[[nodiscard]] SharedSurface fit_shared_surface(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                               double window, SurfaceShape shape,
                                               RunWindow chosen = RunWindow::by_loss);

}  // namespace dfsweep::hyperparameters
