#include "models/measured_tables/predictors/forest_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// The largest whole number left of a threshold; a forest is constant between two such borders.
double border_of(const ForestNode& node, const SurfaceForm& form) {
  const double border = node.kind == ForestNode::Kind::split_u ? std::floor(node.threshold_or_value)
                                                               : form.last_of_feature(node.threshold_or_value);
  return std::min(border, last_of_axes);
}

/// The borders of one feature in a forest.
class Borders {
 public:
  Borders(const Forest& forest, const SurfaceForm& form, ForestNode::Kind kind) {
    std::vector<std::size_t>& marks = cells_up_to_;
    for (const ForestNode& node : forest.nodes()) {
      if (node.kind != kind) continue;
      const auto border = static_cast<std::size_t>(border_of(node, form));
      if (border >= marks.size()) marks.resize(border + 1, 0);
      marks[border] = 1;
    }
    for (std::size_t number = 0; number < marks.size(); ++number) {
      if (marks[number] != 0) values_.push_back(static_cast<double>(number));
      marks[number] = values_.size();
    }
  }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] std::size_t cells() const { return values_.size() + 1; }
  /// Number of cells up to `border`. Pre: it is one of the borders.
  [[nodiscard]] std::size_t cells_up_to(double border) const { return cells_up_to_[static_cast<std::size_t>(border)]; }

 private:
  std::vector<double> values_;            ///< ascending
  std::vector<std::size_t> cells_up_to_;  ///< [whole number]
};

/// Cells [u_begin, u_end) x [v_begin, v_end) of the grid.
struct Cells {
  std::size_t u_begin, u_end, v_begin, v_end;
};

/// Adds the leaves of a subtree to the cells that reach them.
class LeafSums {
 public:
  LeafSums(const Forest& forest, const SurfaceForm& form, const Borders& by_u, const Borders& by_v)
      : nodes_(forest.nodes()), form_(form), by_u_(by_u), by_v_(by_v), sums_{by_u.cells(), by_v.cells(), {}} {
    sums_.values.resize(sums_.u_count * sums_.v_count, 0.0);
    const Cells all{0, sums_.u_count, 0, sums_.v_count};
    for (const std::uint32_t root : forest.roots()) add(root, all);
  }

  NodeGrid<double> means(double trees) && {
    for (double& sum : sums_.values) sum /= trees;
    return std::move(sums_);
  }

 private:
  void add(std::uint32_t node, const Cells& cells) {
    if (cells.u_begin == cells.u_end || cells.v_begin == cells.v_end) return;
    if (nodes_[node].kind == ForestNode::Kind::leaf) {
      for (std::size_t u = cells.u_begin; u < cells.u_end; ++u)
        for (std::size_t v = cells.v_begin; v < cells.v_end; ++v) sums_.at(u, v) += nodes_[node].threshold_or_value;
      return;
    }
    Cells left = cells, right = cells;
    const double border = border_of(nodes_[node], form_);
    if (nodes_[node].kind == ForestNode::Kind::split_u)
      left.u_end = right.u_begin = std::clamp(by_u_.cells_up_to(border), cells.u_begin, cells.u_end);
    else
      left.v_end = right.v_begin = std::clamp(by_v_.cells_up_to(border), cells.v_begin, cells.v_end);
    add(node + 1, left);
    add(nodes_[node].right, right);
  }

  std::span<const ForestNode> nodes_;
  const SurfaceForm& form_;
  const Borders& by_u_;
  const Borders& by_v_;
  NodeGrid<double> sums_;
};

}  // namespace

AttentionSurface forest_surface(std::span<const SurfacePoint> points, const SurfaceForm& form,
                                const ForestSettings& settings) {
  DFSWEEP_EXPECT(!points.empty());
  std::vector<ForestSample> samples;
  samples.reserve(points.size());
  for (const SurfacePoint& point : points) samples.push_back({point.u, form.forest_feature(point.v), point.seconds});
  const Forest forest = grow_forest(samples, settings);

  const Borders by_u(forest, form, ForestNode::Kind::split_u), by_v(forest, form, ForestNode::Kind::split_v);
  const std::vector<double> us = distinct_values(points, &SurfacePoint::u);
  const std::vector<double> vs = distinct_values(points, &SurfacePoint::v);
  ValueGrid grid(AxisIndex::steps(by_u.values(), us.front(), us.back()),
                 AxisIndex::steps(by_v.values(), vs.front(), vs.back()),
                 LeafSums(forest, form, by_u, by_v).means(static_cast<double>(forest.roots().size())));

  std::vector<double> seen;
  seen.reserve(points.size());
  for (const SurfacePoint& point : points)
    seen.push_back(grid.at(grid.u().clamped(number_of(point.u)), grid.v().clamped(number_of(point.v))));
  const double left_out = mean_relative_error(left_out_predictions(forest, samples, settings), samples);
  const TrendTerms flat{};
  return AttentionSurface(std::move(grid), KeyCoverage(points), form, flat,
                          {mean_relative_error(seen, samples), left_out, left_out, 0.0});
}

}  // namespace dfsweep
