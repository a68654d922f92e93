#include "models/law_fits/fits/regret.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

std::vector<double> distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t place(std::span<const double> sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

/// Position of a value between two grid points of an axis.
struct Cell {
  std::size_t low = 0;
  std::size_t high = 0;
  double share = 0.0;  ///< weight of `high`
};

/// Pre: the value is within the range of the axis.
Cell cell_of(std::span<const double> axis, double value) {
  const auto above = static_cast<std::size_t>(std::upper_bound(axis.begin(), axis.end(), value) - axis.begin());
  const std::size_t high = std::min(above, axis.size() - 1);
  const std::size_t low = high > 0 ? high - 1 : 0;
  if (high == low) return {low, high, 0.0};
  return {low, high, (value - axis[low]) / (axis[high] - axis[low])};
}

/// Whether values are unimodal: no fall by more than `tolerance` after such a rise.
bool one_valley(std::span<const double> values, double tolerance) {
  double lowest = values.front();
  double highest_since = values.front();
  bool risen = false;
  for (const double value : values) {
    if (!risen) {
      lowest = std::min(lowest, value);
      risen = value > lowest + tolerance;
      highest_since = value;
    } else {
      if (value < highest_since - tolerance) return false;
      highest_since = std::max(highest_since, value);
    }
  }
  return true;
}

}  // namespace

GroupGrid::GroupGrid(const GroupedRuns& runs, std::size_t group) : begin_(runs.groups[group].begin) {
  const std::size_t end = runs.groups[group].end;
  for (std::size_t run = begin_; run < end; ++run) {
    points_.push_back({std::log(runs.learning_rate[run]), std::log(runs.batch_tokens[run])});
    rel_.push_back(runs.rel[run]);
    xs_.push_back(points_.back().x);
    ys_.push_back(points_.back().y);
  }
  xs_ = distinct(std::move(xs_));
  ys_ = distinct(std::move(ys_));
  excess_.assign(xs_.size() * ys_.size(), absent);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    double& cell = excess_[place(xs_, points_[i].x) * ys_.size() + place(ys_, points_[i].y)];
    cell = std::fmin(cell, std::log1p(rel_[i]));
  }
}

std::size_t GroupGrid::nearest(LogPoint point) const {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double dx = points_[i].x - point.x;
    const double dy = points_[i].y - point.y;
    const double distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return begin_ + best;
}

double GroupGrid::regret_nearest(LogPoint point) const {
  return rel_[nearest(point) - begin_];
}

double GroupGrid::regret_bilinear(LogPoint point) const {
  const LogPoint inside = {std::clamp(point.x, xs_.front(), xs_.back()), std::clamp(point.y, ys_.front(), ys_.back())};
  const Cell x = cell_of(xs_, inside.x);
  const Cell y = cell_of(ys_, inside.y);
  double weight = 0.0;
  double sum = 0.0;
  const auto add = [&](std::size_t i, std::size_t j, double share) {
    const double corner = excess(i, j);
    if (!is_given(corner)) return;
    weight += share;
    sum += share * corner;
  };
  add(x.low, y.low, (1.0 - x.share) * (1.0 - y.share));
  add(x.low, y.high, (1.0 - x.share) * y.share);
  add(x.high, y.low, x.share * (1.0 - y.share));
  add(x.high, y.high, x.share * y.share);
  if (weight < 1e-9) return regret_nearest(inside);
  return std::expm1(sum / weight);
}

Regret regret_at(const GroupGrid& grid, const QuadraticSurface& surface, LogPoint predicted) {
  if (!is_given(predicted.x) || !is_given(predicted.y)) return {absent, absent, absent, grid.nearest(predicted)};
  const bool has_optimum = surface.defect == FitDefect::none || surface.defect == FitDefect::optimum_outside_grid;
  return {grid.regret_nearest(predicted), grid.regret_bilinear(predicted),
          has_optimum ? loss_excess(surface.hessian, surface.optimum, predicted) : absent, grid.nearest(predicted)};
}

Unimodality unimodality(const GroupGrid& grid, double tolerance) {
  Unimodality count;
  std::vector<double> line;
  const auto judge = [&] {
    if (line.size() >= 3) {
      ++count.lines;
      count.unimodal += one_valley(line, tolerance) ? 1 : 0;
    }
    line.clear();
  };
  const auto take = [&](std::size_t i, std::size_t j) {
    if (is_given(grid.excess(i, j))) line.push_back(grid.excess(i, j));
  };
  const std::size_t width = grid.distinct_x().size();
  const std::size_t height = grid.distinct_y().size();
  for (std::size_t i = 0; i < width; ++i, judge())
    for (std::size_t j = 0; j < height; ++j) take(i, j);
  for (std::size_t j = 0; j < height; ++j, judge())
    for (std::size_t i = 0; i < width; ++i) take(i, j);
  return count;
}

}  // namespace dfsweep::law_fits
