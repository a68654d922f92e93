#include "models/law_fits/surfaces/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/absent.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

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
      return "features are constant or collinear";
    case FitDefect::indefinite_hessian:
      return "surface without a minimum";
    case FitDefect::optimum_outside_grid:
      return "optimum outside the grid of runs";
    case FitDefect::not_converged:
      return "iteration did not converge";
  }
  return "";
}

QuadraticSurface fit_quadratic(const SelectedGroup& group, std::size_t window) {
  const RunMoments& m = group.moments[window];
  if (m.n < least_surface_runs) return without_surface(FitDefect::too_few_runs, m.n);
  std::array<double, 6> c{};
  if (!fit_polynomial(m, c)) return without_surface(FitDefect::singular_design, m.n);

  // Shift the polynomial to the mean of the runs.
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

}  // namespace dfsweep::law_fits
