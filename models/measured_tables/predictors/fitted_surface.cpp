#include "models/measured_tables/predictors/fitted_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/measured_tables/predictors/neighbour_fit.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t judged_keys = 500;

/// Measured means on the grid of distinct keys.
struct MeasuredGrid {
  std::vector<double> us, vs;
  NodeGrid<double> seconds;  ///< NaN where nothing was measured
  NodeGrid<double> repeats;
};

MeasuredGrid measured_grid(std::span<const SurfacePoint> points) {
  std::vector<SurfacePoint> sorted(points.begin(), points.end());  // so that sums do not depend on the order of rows
  std::sort(sorted.begin(), sorted.end(), [](const SurfacePoint& a, const SurfacePoint& b) {
    return std::pair(std::pair(a.u, a.v), a.seconds) < std::pair(std::pair(b.u, b.v), b.seconds);
  });
  MeasuredGrid grid{distinct_values(points, &SurfacePoint::u), distinct_values(points, &SurfacePoint::v), {}, {}};
  const std::size_t nodes = grid.us.size() * grid.vs.size();
  grid.seconds = {grid.us.size(), grid.vs.size(), std::vector<double>(nodes, 0.0)};
  grid.repeats = {grid.us.size(), grid.vs.size(), std::vector<double>(nodes, 0.0)};
  for (const SurfacePoint& point : sorted) {
    const std::size_t u = rank_of(grid.us, point.u), v = rank_of(grid.vs, point.v);
    grid.seconds.at(u, v) += point.seconds;
    grid.repeats.at(u, v) += 1.0;
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    const double repeats = grid.repeats.values[node];
    grid.seconds.values[node] = repeats > 0.0 ? grid.seconds.values[node] / repeats : absent;
  }
  return grid;
}

TrendTerms trend_of(std::span<const SurfacePoint> points, const SurfaceForm& form) {
  std::vector<TrendPoint> all;
  all.reserve(points.size());
  for (const SurfacePoint& point : points) all.push_back({form.terms(point.u, point.v), point.seconds});
  return fit_trend(all);
}

/// log(measured / trend) at every node.
NodeGrid<double> levels_of(const MeasuredGrid& grid, const SurfaceForm& form, const TrendTerms& trend) {
  NodeGrid<double> levels = grid.seconds;
  for (std::size_t u = 0; u < grid.us.size(); ++u)
    for (std::size_t v = 0; v < grid.vs.size(); ++v) {
      double& level = levels.at(u, v);
      if (is_given(level))
        level = std::log(std::max(level, least_kernel_seconds) / positive_trend(form, trend, grid.us[u], grid.vs[v]));
    }
  return levels;
}

/// Level at a node outside the measured range: the level at the nearest measured rank of u with the same v.
double border_level(const NodeGrid<double>& levels, std::size_t u, std::size_t v) {
  for (std::size_t step = 1; step < levels.u_count; ++step) {
    if (step <= u && is_given(levels.at(u - step, v))) return levels.at(u - step, v);
    if (u + step < levels.u_count && is_given(levels.at(u + step, v))) return levels.at(u + step, v);
  }
  return 0.0;  // not reached: every v of the grid has a measurement
}

/// Mean |left out / measured - 1| over measured nodes, sampled evenly over the grid.
double left_out_error(const NeighbourFit& fit, const NodeGrid<double>& levels) {
  std::vector<std::size_t> measured;
  for (std::size_t node = 0; node < levels.values.size(); ++node)
    if (is_given(levels.values[node])) measured.push_back(node);
  if (measured.size() < 2) return 0.0;
  const std::size_t count = std::min(judged_keys, measured.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t node = measured[i * measured.size() / count];
    const double estimate = fit.estimate(node / levels.v_count, node % levels.v_count);
    sum += std::abs(std::exp(estimate - levels.values[node]) - 1.0);
  }
  return sum / static_cast<double>(count);
}

/// Mean |repeat / mean - 1| of repeated keys, with the factor for n - 1; negative without repeated keys.
double repeat_error(std::span<const SurfacePoint> points, const MeasuredGrid& grid) {
  double sum = 0.0, count = 0.0;
  for (const SurfacePoint& point : points) {
    const std::size_t u = rank_of(grid.us, point.u), v = rank_of(grid.vs, point.v);
    const double repeats = grid.repeats.at(u, v), mean = grid.seconds.at(u, v);
    if (repeats < 2.0 || !(mean > 0.0)) continue;
    sum += std::abs(point.seconds / mean - 1.0) * std::sqrt(repeats / (repeats - 1.0));
    count += 1.0;
  }
  return count > 0.0 ? sum / count : -1.0;
}

/// `errors`: [coverage] expected errors of the surface.
AttentionSurface surface_of(std::span<const SurfacePoint> points, const SurfaceForm& form,
                            const std::array<double, 4>& errors) {
  const MeasuredGrid grid = measured_grid(points);
  const TrendTerms trend = trend_of(points, form);
  const NodeGrid<double> levels = levels_of(grid, form, trend);
  const NeighbourFit fit(grid.us, grid.vs, form, levels);
  KeyCoverage coverage(points);
  NodeGrid<double> nodes = grid.seconds;
  for (std::size_t u = 0; u < grid.us.size(); ++u)
    for (std::size_t v = 0; v < grid.vs.size(); ++v) {
      if (is_given(nodes.at(u, v))) continue;
      const double level =
          coverage.node(u, v) == Coverage::interpolated ? fit.estimate(u, v) : border_level(levels, u, v);
      nodes.at(u, v) = positive_trend(form, trend, grid.us[u], grid.vs[v]) * std::exp(level);
    }
  return AttentionSurface(ValueGrid(AxisIndex::between(grid.us), AxisIndex::between(grid.vs), nodes),
                          std::move(coverage), form, trend, errors);
}

double upper_half_error(std::span<const SurfacePoint> points, const SurfaceForm& form) {
  double last_u = 0.0, last_v = 0.0;
  for (const SurfacePoint& point : points) {
    last_u = std::max(last_u, point.u);
    last_v = std::max(last_v, point.v);
  }
  std::vector<SurfacePoint> lower, upper;
  for (const SurfacePoint& point : points)
    (point.u <= 0.5 * last_u && point.v <= 0.5 * last_v ? lower : upper).push_back(point);
  if (lower.empty() || upper.empty()) return 0.0;
  const AttentionSurface surface = surface_of(lower, form, {});
  double sum = 0.0, count = 0.0;
  for (const SurfacePoint& point : upper) {
    if (!(point.seconds > 0.0)) continue;
    const double predicted = surface.seconds(number_of(point.u), number_of(point.v));
    sum += std::abs(predicted / point.seconds - 1.0);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

AttentionSurface fitted_surface(std::span<const SurfacePoint> points, const SurfaceForm& form) {
  DFSWEEP_EXPECT(!points.empty());
  const MeasuredGrid grid = measured_grid(points);
  const NodeGrid<double> levels = levels_of(grid, form, trend_of(points, form));
  const double interpolated = left_out_error(NeighbourFit(grid.us, grid.vs, form, levels), levels);
  const double repeats = repeat_error(points, grid);
  return surface_of(points, form,
                    {repeats < 0.0 ? interpolated : repeats, interpolated, upper_half_error(points, form), 0.0});
}

AttentionSurface fitted_surface_without_errors(std::span<const SurfacePoint> points, const SurfaceForm& form) {
  DFSWEEP_EXPECT(!points.empty());
  return surface_of(points, form, {});
}

}  // namespace dfsweep
