#include "models/law_fits/surfaces/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::hyperparameters {

namespace {

/// Coefficients of (1, u, v, u^2, u v, v^2) by least squares; false where the runs do not determine them.
bool fit_polynomial(const RunMoments& m, std::array<double, 6>& coefficients) {
  std::array<double, 21> a = {m.n,                                 //
                              m.u,  m.uu,                          //
                              m.v,  m.uv,  m.vv,                   //
                              m.uu, m.uuu, m.uuv, m.uuuu,          //
                              m.uv, m.uuv, m.uvv, m.uuuv, m.uuvv,  //
                              m.vv, m.uvv, m.vvv, m.uuvv, m.uvvv, m.vvvv};
  coefficients = {m.s, m.su, m.sv, m.suu, m.suv, m.svv};
  return solve_packed<6>(a, coefficients);
}

double residual_sum(const RunMoments& m, const std::array<double, 6>& c) {
  const double explained = c[0] * m.s + c[1] * m.su + c[2] * m.sv + c[3] * m.suu + c[4] * m.suv + c[5] * m.svv;
  return std::max(0.0, m.ss - explained);
}

QuadraticSurface without_surface(FitDefect defect, double n) {
  return {defect, n,      {absent, absent},         absent,           absent, absent, absent, absent,
          absent, absent, {absent, absent, absent}, {absent, absent}, absent, false};
}

}  // namespace

std::string_view describe(FitDefect defect) {
  switch (defect) {
    case FitDefect::none:
      return "none";
    case FitDefect::too_few_runs:
      return "fewer than 11 runs near the optimum";
    case FitDefect::too_few_groups:
      return "too few groups for the coefficients";
    case FitDefect::singular_design:
      return "features do not vary, or vary together";
    case FitDefect::indefinite_hessian:
      return "surface without a minimum";
    case FitDefect::optimum_outside_grid:
      return "optimum outside the grid of runs";
    case FitDefect::not_converged:
      return "iteration did not converge";
  }
  return "";
}

Eigenvalues eigenvalues(const Hessian& h) {
  const double middle = 0.5 * (h.xx + h.yy);
  const double radius = std::hypot(0.5 * (h.xx - h.yy), h.xy);
  return {middle - radius, middle + radius};
}

double ridge_slope(const Hessian& h) {
  const double low = eigenvalues(h).low;
  if (h.xy == 0.0) return h.xx <= h.yy ? 0.0 : std::numeric_limits<double>::infinity();
  return (low - h.xx) / h.xy;
}

LogPoint minus_inverse(const Hessian& h, LogPoint gradient) {
  const double determinant = h.determinant();
  return {-(h.yy * gradient.x - h.xy * gradient.y) / determinant,
          -(h.xx * gradient.y - h.xy * gradient.x) / determinant};
}

double loss_excess(const Hessian& h, LogPoint optimum, LogPoint point) {
  const double dx = point.x - optimum.x;
  const double dy = point.y - optimum.y;
  return std::expm1(0.5 * (h.xx * dx * dx + 2.0 * h.xy * dx * dy + h.yy * dy * dy));
}

Plateau plateau(const Hessian& h, double excess) {
  DFSWEEP_EXPECT(h.positive_definite());
  const double level = std::log1p(excess);
  const double determinant = h.determinant();
  return {std::sqrt(2.0 * level * h.yy / determinant), std::sqrt(2.0 * level * h.xx / determinant),
          2.0 * std::numbers::pi * level / std::sqrt(determinant)};
}

std::vector<LogPoint> plateau_border(const Hessian& h, LogPoint optimum, double excess, std::size_t count) {
  DFSWEEP_EXPECT(h.positive_definite());
  std::vector<LogPoint> border;
  border.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    const double radius = std::sqrt(2.0 * std::log1p(excess) / (h.xx * x * x + 2.0 * h.xy * x * y + h.yy * y * y));
    border.push_back({optimum.x + radius * x, optimum.y + radius * y});
  }
  return border;
}

QuadraticSurface fit_quadratic(const SelectedGroup& group, std::size_t window) {
  const RunMoments& m = group.moments[window];
  if (m.n < least_surface_runs) return without_surface(FitDefect::too_few_runs, m.n);
  std::array<double, 6> c{};
  if (!fit_polynomial(m, c)) return without_surface(FitDefect::singular_design, m.n);

  // The same polynomial about the mean of the runs.
  const double u = m.u / m.n;
  const double v = m.v / m.n;
  QuadraticSurface surface;
  surface.n = m.n;
  surface.centre = {group.reference.x + u, group.reference.y + v};
  surface.c0 = std::log(group.minimum.loss) + c[0] + c[1] * u + c[2] * v + c[3] * u * u + c[4] * u * v + c[5] * v * v;
  surface.cx = c[1] + 2.0 * c[3] * u + c[4] * v;
  surface.cy = c[2] + 2.0 * c[5] * v + c[4] * u;
  surface.cxx = c[3];
  surface.cxy = c[4];
  surface.cyy = c[5];
  surface.rms = std::sqrt(residual_sum(m, c) / (m.n - 6.0));
  surface.hessian = {2.0 * c[3], c[4], 2.0 * c[5]};

  const LogPoint step = minus_inverse(surface.hessian, {surface.cx, surface.cy});
  surface.optimum = {surface.centre.x + step.x, surface.centre.y + step.y};
  surface.minimum = surface.c0 + 0.5 * (surface.cx * step.x + surface.cy * step.y);
  surface.inside_grid = group.box.contains(surface.optimum);
  if (!surface.hessian.positive_definite())
    surface.defect = FitDefect::indefinite_hessian;
  else if (!surface.inside_grid)
    surface.defect = FitDefect::optimum_outside_grid;
  return surface;
}

std::vector<QuadraticSurface> fit_quadratics(const SelectedRuns& runs, double window) {
  const std::size_t number = runs.window(window);
  std::vector<QuadraticSurface> surfaces;
  surfaces.reserve(runs.groups.size());
  for (const SelectedGroup& group : runs.groups) surfaces.push_back(fit_quadratic(group, number));
  return surfaces;
}

}  // namespace dfsweep::hyperparameters
