#include "models/measured_tables/predictors/attention_surface.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Marks the nodes within the measured range, from the highest v measured at or above each u and the lowest v measured
/// at or below it.
void mark_range(NodeGrid<Coverage>& nodes) {
  const auto measured = [&](std::size_t u, std::size_t v) { return nodes.at(u, v) == Coverage::measured; };
  std::vector<std::size_t> lowest(nodes.u_count, nodes.v_count), end(nodes.u_count, 0);
  for (std::size_t u = 0; u < nodes.u_count; ++u)
    for (std::size_t v = 0; v < nodes.v_count; ++v)
      if (measured(u, v)) {
        lowest[u] = std::min(lowest[u], v);
        end[u] = std::max(end[u], v + 1);
      }
  for (std::size_t u = 1; u < nodes.u_count; ++u) lowest[u] = std::min(lowest[u], lowest[u - 1]);
  for (std::size_t u = nodes.u_count; u-- > 1;) end[u - 1] = std::max(end[u - 1], end[u]);
  for (std::size_t u = 0; u < nodes.u_count; ++u)
    for (std::size_t v = lowest[u]; v < end[u]; ++v)
      if (!measured(u, v)) nodes.at(u, v) = Coverage::interpolated;
}

}  // namespace

std::vector<double> distinct_values(std::span<const SurfacePoint> points, double SurfacePoint::*coordinate) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const SurfacePoint& point : points) values.push_back(point.*coordinate);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t rank_of(std::span<const double> values, double value) {
  return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

double positive_trend(const SurfaceForm& form, const TrendTerms& trend, double u, double v) {
  return std::max(trend_value(trend, form.terms(u, v)), 1e-9);
}

ValueGrid::ValueGrid(AxisIndex u, AxisIndex v, const NodeGrid<double>& nodes)
    : u_(std::move(u)), v_(std::move(v)), stride_(nodes.v_count + 1) {
  values_.reserve((nodes.u_count + 1) * stride_);
  for (std::size_t i = 0; i <= nodes.u_count; ++i)
    for (std::size_t j = 0; j <= nodes.v_count; ++j)
      values_.push_back(nodes.at(std::min(i, nodes.u_count - 1), std::min(j, nodes.v_count - 1)));
}

KeyCoverage::KeyCoverage(std::span<const SurfacePoint> points)
    : u_(AxisIndex::between(distinct_values(points, &SurfacePoint::u))),
      v_(AxisIndex::between(distinct_values(points, &SurfacePoint::v))) {
  const std::vector<double> us = distinct_values(points, &SurfacePoint::u);
  const std::vector<double> vs = distinct_values(points, &SurfacePoint::v);
  nodes_ = {us.size(), vs.size(), std::vector<Coverage>(us.size() * vs.size(), Coverage::extrapolated)};
  for (const SurfacePoint& point : points) nodes_.at(rank_of(us, point.u), rank_of(vs, point.v)) = Coverage::measured;
  mark_range(nodes_);
}

Coverage KeyCoverage::at(std::uint32_t u, std::uint32_t v) const {
  if (!u_.covers(u) || !v_.covers(v)) return Coverage::extrapolated;
  const AxisPlace i = u_.at(u), j = v_.at(v);
  const bool between_u = i.way > 0.0f, between_v = j.way > 0.0f;
  Coverage least = between_u || between_v ? Coverage::interpolated : Coverage::measured;
  least = std::max(least, nodes_.at(i.cell, j.cell));
  if (between_u) least = std::max(least, nodes_.at(i.cell + 1, j.cell));
  if (between_v) least = std::max(least, nodes_.at(i.cell, j.cell + 1));
  if (between_u && between_v) least = std::max(least, nodes_.at(i.cell + 1, j.cell + 1));
  return least;
}

AttentionSurface::AttentionSurface(ValueGrid grid, KeyCoverage coverage, const SurfaceForm& form,
                                   const TrendTerms& trend, const std::array<double, 4>& relative_error)
    : grid_(std::move(grid)),
      coverage_(std::move(coverage)),
      form_(form),
      trend_(trend),
      relative_error_(relative_error) {}

double AttentionSurface::beyond(std::uint32_t u, std::uint32_t v) const {
  const std::uint32_t border_u = grid_.u().clamped(u), border_v = grid_.v().clamped(v);
  return grid_.at(border_u, border_v) * positive_trend(form_, trend_, u, v) /
         positive_trend(form_, trend_, border_u, border_v);
}

Prediction AttentionSurface::predict(std::uint32_t u, std::uint32_t v) const {
  const Coverage rests_on = coverage(u, v);
  return {Seconds{seconds(u, v)}, rests_on, relative_error(rests_on)};
}

void AttentionSurface::predict(std::span<const std::uint32_t> u, std::span<const std::uint32_t> v,
                               std::span<double> seconds_out, std::span<Coverage> coverage_out) const {
  DFSWEEP_EXPECT(v.size() == u.size() && seconds_out.size() == u.size() && coverage_out.size() == u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    seconds_out[i] = seconds(u[i], v[i]);
    coverage_out[i] = coverage(u[i], v[i]);
  }
}

}  // namespace dfsweep
