#include "models/law_fits/surfaces/shared_surface.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/law_fits/surfaces/basins.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr std::size_t most_iterations = 200;
constexpr double converged_step = 1e-10;  // step of an optimum in ln lr and ln B
constexpr double longest_step = 0.5;

template <int terms>
using Shape = Eigen::Matrix<double, terms, 1>;

/// A row of the linearised problem: (1, d model / d x*, d model / d y*, terms of the shape).
template <int terms>
Eigen::Matrix<double, terms + 3, 1> design_row(const Shape<terms>& a, double u, double v) {
  Eigen::Matrix<double, terms + 3, 1> row;
  double du = 2.0 * a[0] * u + a[1] * v;
  double dv = a[1] * u + 2.0 * a[2] * v;
  row.template segment<3>(3) << u * u, u * v, v * v;
  if constexpr (terms == 7) {
    du += 3.0 * a[3] * u * u + 2.0 * a[4] * u * v + a[5] * v * v;
    dv += a[4] * u * u + 2.0 * a[5] * u * v + 3.0 * a[6] * v * v;
    row.template segment<4>(6) << u * u * u, u * u * v, u * v * v, v * v * v;
  }
  row.template head<3>() << 1.0, -du, -dv;
  return row;
}

/// The normal equations of a group with (c, x*, y*) eliminated.
template <int terms>
struct Eliminated {
  Eigen::Matrix3d own_inverse;               ///< inverse of the block of (c, x*, y*)
  Eigen::Matrix<double, 3, terms> response;  ///< change of (c, x*, y*) is own_step - response d shape
  Eigen::Vector3d own_step;
  Eigen::Matrix<double, terms, terms> normal;  ///< normal equations of the shape
  Shape<terms> gradient;
  double rss = 0.0;  ///< residual sum of squares with the best c
  bool proper = false;
};

/// Normal equations of one group, parameters of the group first.
template <int terms>
struct GroupEquations {
  Eigen::Matrix<double, terms + 3, terms + 3> products = Eigen::Matrix<double, terms + 3, terms + 3>::Zero();
  Eigen::Matrix<double, terms + 3, 1> residuals = Eigen::Matrix<double, terms + 3, 1>::Zero();
  double squares = 0.0;  ///< sum of squared residuals
};

template <int terms>
GroupEquations<terms> equations_of_runs(const Basin& basin, const Shape<terms>& shape) {
  GroupEquations<terms> out;
  for (const BasinRun& run : basin.runs) {
    const auto row = design_row<terms>(shape, run.x - basin.optimum.x, run.y - basin.optimum.y);
    const double residual = run.s - row.template tail<terms>().dot(shape);
    out.products.noalias() += row * row.transpose();
    out.residuals.noalias() += row * residual;
    out.squares += residual * residual;
  }
  return out;
}

/// Normal equations from sums, since every column of the quadratic problem is a polynomial in (1, u, v, u^2, u v, v^2).
GroupEquations<3> equations_of_sums(const Basin& basin, const Shape<3>& a) {
  const auto products = polynomial_products(basin.sums);
  const auto losses = polynomial_losses(basin.sums);
  const Eigen::Map<const Eigen::Matrix<double, 6, 6>> all(products.data());
  const Eigen::Map<const Eigen::Matrix<double, 6, 1>> with_loss(losses.data());
  const double x = basin.optimum.x;
  const double y = basin.optimum.y;
  Eigen::Matrix<double, 6, 6> columns;                               // [column of the problem][power]
  columns << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,                           //
      2.0 * a[0] * x + a[1] * y, -2.0 * a[0], -a[1], 0.0, 0.0, 0.0,  //
      a[1] * x + 2.0 * a[2] * y, -a[1], -2.0 * a[2], 0.0, 0.0, 0.0,  //
      x * x, -2.0 * x, 0.0, 1.0, 0.0, 0.0,                           //
      x * y, -y, -x, 0.0, 1.0, 0.0,                                  //
      y * y, 0.0, -2.0 * y, 0.0, 0.0, 1.0;
  const Eigen::Matrix<double, 6, 1> model = columns.bottomRows<3>().transpose() * a;
  const Eigen::Matrix<double, 6, 1> left = with_loss - all * model;
  GroupEquations<3> out;
  out.products = columns * all * columns.transpose();
  out.residuals = columns * left;
  out.squares = basin.sums.ss - with_loss.dot(model) - left.dot(model);
  return out;
}

template <int terms>
GroupEquations<terms> equations_of(const Basin& basin, const Shape<terms>& shape) {
  if constexpr (terms == 3)
    return equations_of_sums(basin, shape);
  else
    return equations_of_runs<terms>(basin, shape);
}

template <int terms>
Eliminated<terms> eliminate(const Basin& basin, const Shape<terms>& shape) {
  const GroupEquations<terms> equations = equations_of<terms>(basin, shape);
  const auto& products = equations.products;
  const auto& residuals = equations.residuals;
  Eliminated<terms> out;
  const Eigen::Matrix3d own = products.template topLeftCorner<3, 3>();
  const Eigen::Vector3d scale = own.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::Matrix3d scaled = scale.asDiagonal() * own * scale.asDiagonal();
  out.proper = std::isfinite(scale.sum()) && scaled.determinant() > 1e-8;
  if (!out.proper) return out;
  out.own_inverse = scale.asDiagonal() * scaled.inverse() * scale.asDiagonal();
  const Eigen::Matrix<double, 3, terms> cross = products.template topRightCorner<3, terms>();
  out.response = out.own_inverse * cross;
  out.own_step = out.own_inverse * residuals.template head<3>();
  out.normal = products.template bottomRightCorner<terms, terms>() - cross.transpose() * out.response;
  out.gradient = residuals.template tail<terms>() - cross.transpose() * out.own_step;
  out.rss = equations.squares - residuals[0] * residuals[0] / basin.sums.n;
  return out;
}

struct Iterated {
  FitDefect defect = FitDefect::not_converged;
  std::size_t iterations = 0;
};

/// Gauss-Newton iterations that update optima and shape in place.
template <int terms>
Iterated iterate(std::vector<Basin>& basins, Shape<terms>& shape) {
  std::vector<Eliminated<terms>> parts(basins.size());
  Iterated done;
  while (done.iterations < most_iterations) {
    ++done.iterations;
    Eigen::Matrix<double, terms, terms> normal = Eigen::Matrix<double, terms, terms>::Zero();
    Shape<terms> gradient = Shape<terms>::Zero();
    for (std::size_t g = 0; g < basins.size(); ++g) {
      if (basins[g].defect != FitDefect::none) continue;
      parts[g] = eliminate<terms>(basins[g], shape);
      if (!parts[g].proper) {
        basins[g].defect = FitDefect::singular_design;
        continue;
      }
      normal += parts[g].normal;
      gradient += parts[g].gradient;
    }
    const Shape<terms> change = normal.ldlt().solve(gradient);
    if (!change.allFinite()) return {FitDefect::singular_design, done.iterations};
    shape += change;
    double longest = 0.0;
    for (std::size_t g = 0; g < basins.size(); ++g) {
      if (basins[g].defect != FitDefect::none) continue;
      const Eigen::Vector3d step = parts[g].own_step - parts[g].response * change;
      const double length = std::max(std::fabs(step[1]), std::fabs(step[2]));
      const double factor = length > longest_step ? longest_step / length : 1.0;
      basins[g].optimum.x += factor * step[1];
      basins[g].optimum.y += factor * step[2];
      longest = std::max(longest, length);
    }
    if (longest < converged_step) {
      done.defect = FitDefect::none;
      return done;
    }
  }
  return done;
}

/// Selects the runs of `wide` whose fitted excess is inside the window.
template <int terms>
void choose_by_fit(std::vector<Basin>& basins, const std::vector<Basin>& wide, const Shape<terms>& shape,
                   double window) {
  const double highest = std::log1p(window);
  for (std::size_t g = 0; g < basins.size(); ++g) {
    if (basins[g].defect != FitDefect::none) continue;
    basins[g].runs.clear();
    basins[g].sums = {};
    for (const BasinRun& run : wide[g].runs) {
      const auto row = design_row<terms>(shape, run.x - basins[g].optimum.x, run.y - basins[g].optimum.y);
      if (!(row.template tail<terms>().dot(shape) < highest)) continue;
      basins[g].runs.push_back(run);
      basins[g].sums.add(run.x, run.y, run.s, 1.0);
    }
  }
}

constexpr LogPoint nowhere = {absent, absent};

template <int terms>
SharedSurface summary(const SelectedRuns& runs, std::span<const std::size_t> groups, const std::vector<Basin>& basins,
                      const Shape<terms>& shape) {
  SharedSurface out;
  double located = 0.0;
  double rss = 0.0;
  Eigen::Matrix<double, terms, terms> normal = Eigen::Matrix<double, terms, terms>::Zero();
  for (std::size_t g = 0; g < basins.size(); ++g) {
    LocatedOptimum optimum;
    optimum.n = basins[g].sums.n;
    optimum.defect = basins[g].defect;
    optimum.optimum = nowhere;
    optimum.covariance = {absent, absent, absent};
    if (basins[g].defect == FitDefect::none) {
      const Eliminated<terms> part = eliminate<terms>(basins[g], shape);
      const SelectedGroup& group = runs.groups[groups[g]];
      optimum.optimum = {group.reference.x + basins[g].optimum.x, group.reference.y + basins[g].optimum.y};
      optimum.covariance = {part.own_inverse(1, 1), part.own_inverse(1, 2), part.own_inverse(2, 2)};
      for (int k = 0; k < terms; ++k)
        optimum.shape_response[static_cast<std::size_t>(k)] = {-part.response(1, k), -part.response(2, k)};
      if (!group.box.contains(optimum.optimum)) optimum.defect = FitDefect::optimum_outside_grid;
      normal += part.normal;
      rss += part.rss;
      out.n += optimum.n;
      located += 1.0;
    }
    out.groups.push_back(optimum);
  }
  const double variance = std::max(0.0, rss) / (out.n - 3.0 * located - terms);
  out.residual_sd = std::sqrt(variance);
  for (LocatedOptimum& optimum : out.groups) {
    optimum.covariance.xx *= variance;
    optimum.covariance.xy *= variance;
    optimum.covariance.yy *= variance;
  }
  const Eigen::Matrix<double, terms, terms> inverse = normal.inverse();
  for (int i = 0; i < terms; ++i) {
    out.coefficient[static_cast<std::size_t>(i)] = shape[i];
    for (int j = 0; j < terms; ++j) out.covariance.push_back(variance * inverse(i, j));
  }
  if (!out.hessian().positive_definite()) out.defect = FitDefect::indefinite_hessian;
  return out;
}

SharedSurface without_surface(FitDefect defect, std::span<const std::size_t> groups, SurfaceShape shape) {
  SharedSurface out;
  out.defect = defect;
  out.coefficient.fill(absent);
  out.covariance.assign(shape_terms(shape) * shape_terms(shape), absent);
  out.residual_sd = absent;
  out.groups.assign(groups.size(), {defect, 0.0, nowhere, {absent, absent, absent}, {}});
  return out;
}

bool has_window(const SelectedRuns& runs, double window) {
  return std::find(runs.windows.begin(), runs.windows.end(), window) != runs.windows.end();
}

template <int terms>
SharedSurface fit(const SelectedRuns& runs, std::span<const std::size_t> groups, double window, RunWindow chosen,
                  SurfaceShape kind) {
  const bool from_sums = terms == 3 && chosen == RunWindow::by_loss && has_window(runs, window);
  std::vector<Basin> basins = from_sums ? basins_of_sums(runs, groups, window) : basins_of_runs(runs, groups, window);
  mark_small(basins);
  double usable = 0.0;
  double n = 0.0;
  for (const Basin& basin : basins) {
    if (basin.defect != FitDefect::none) continue;
    usable += 1.0;
    n += basin.sums.n;
  }
  if (usable == 0.0 || n <= 3.0 * usable + terms) return without_surface(FitDefect::too_few_runs, groups, kind);
  const auto curvature = place_optima(basins);
  if (!curvature) return without_surface(FitDefect::indefinite_hessian, groups, kind);
  Shape<terms> shape = Shape<terms>::Zero();
  shape.template head<3>() << (*curvature)[0], (*curvature)[1], (*curvature)[2];
  Iterated done = iterate<terms>(basins, shape);
  if (chosen == RunWindow::by_fit && done.defect == FitDefect::none) {
    choose_by_fit<terms>(basins, basins_of_runs(runs, groups, 2.0 * window), shape, window);
    mark_small(basins);
    done = iterate<terms>(basins, shape);
  }
  if (done.defect != FitDefect::none) return without_surface(done.defect, groups, kind);
  SharedSurface out = summary<terms>(runs, groups, basins, shape);
  out.iterations = done.iterations;
  return out;
}

}  // namespace

SharedSurface fit_shared_surface(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                                 SurfaceShape shape, RunWindow chosen) {
  SharedSurface out = shape == SurfaceShape::cubic ? fit<7>(runs, groups, window, chosen, shape)
                                                   : fit<3>(runs, groups, window, chosen, shape);
  out.shape = shape;
  return out;
}

}  // namespace dfsweep::law_fits
