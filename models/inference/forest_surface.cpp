#include "models/inference/forest_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// The largest whole numbers that thresholds let pass to the left: between two of them a forest is flat.
struct Borders {
  std::vector<double> u, v;
};

double border_of(const ForestNode& node, const SurfaceForm& form) {
  return node.kind == ForestNode::Kind::split_u ? std::floor(node.threshold_or_value)
                                                : form.last_of_feature(node.threshold_or_value);
}

Borders borders_of(const Forest& forest, const SurfaceForm& form) {
  Borders borders;
  for (const ForestNode& node : forest.nodes())
    if (node.kind != ForestNode::Kind::leaf)
      (node.kind == ForestNode::Kind::split_u ? borders.u : borders.v).push_back(border_of(node, form));
  for (std::vector<double>* axis : {&borders.u, &borders.v}) {
    std::sort(axis->begin(), axis->end());
    axis->erase(std::unique(axis->begin(), axis->end()), axis->end());
  }
  return borders;
}

/// Cells [u_begin, u_end) x [v_begin, v_end) of the grid.
struct Cells {
  std::size_t u_begin, u_end, v_begin, v_end;
};

/// Adds the leaves below nodes of a forest to the cells that reach them.
class LeafSums {
 public:
  LeafSums(const Forest& forest, const SurfaceForm& form, const Borders& borders)
      : nodes_(forest.nodes()), sums_{borders.u.size() + 1, borders.v.size() + 1, {}} {
    sums_.values.resize(sums_.u_count * sums_.v_count, 0.0);
    border_ranks_.reserve(nodes_.size());
    for (const ForestNode& node : nodes_) {
      const std::vector<double>& axis = node.kind == ForestNode::Kind::split_u ? borders.u : borders.v;
      border_ranks_.push_back(node.kind == ForestNode::Kind::leaf ? 0 : rank_of(axis, border_of(node, form)) + 1);
    }
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
    if (nodes_[node].kind == ForestNode::Kind::split_u)
      left.u_end = right.u_begin = std::clamp(border_ranks_[node], cells.u_begin, cells.u_end);
    else
      left.v_end = right.v_begin = std::clamp(border_ranks_[node], cells.v_begin, cells.v_end);
    add(node + 1, left);
    add(nodes_[node].right, right);
  }

  std::span<const ForestNode> nodes_;
  NodeGrid<double> sums_;
  std::vector<std::size_t> border_ranks_;  ///< [node] cells on the left of its threshold
};

}  // namespace

AttentionSurface forest_surface(std::span<const SurfacePoint> points, const SurfaceForm& form,
                                const ForestSettings& settings) {
  DFSWEEP_EXPECT(!points.empty());
  std::vector<ForestSample> samples;
  samples.reserve(points.size());
  for (const SurfacePoint& point : points)
    samples.push_back({point.u, form.forest_feature(point.v), point.seconds});
  const GrownForest grown = grow_forest(samples, settings);

  const Borders borders = borders_of(grown.forest, form);
  const std::vector<double> us = distinct_values(points, &SurfacePoint::u);
  const std::vector<double> vs = distinct_values(points, &SurfacePoint::v);
  ValueGrid grid(AxisIndex::steps(borders.u, us.front(), us.back()),
                 AxisIndex::steps(borders.v, vs.front(), vs.back()),
                 LeafSums(grown.forest, form, borders).means(static_cast<double>(grown.forest.roots().size())));

  std::vector<double> seen;
  seen.reserve(points.size());
  for (const SurfacePoint& point : points)
    seen.push_back(grid.at(static_cast<std::uint32_t>(point.u), static_cast<std::uint32_t>(point.v)));
  const double left_out = mean_relative_error(grown.left_out, samples);
  const TrendTerms flat{};
  return AttentionSurface(std::move(grid), KeyCoverage(points), form, flat,
                          {mean_relative_error(seen, samples), left_out, left_out, 0.0});
}

}  // namespace dfsweep
