#include "models/inference/forest_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Adds the leaves below `node` to the whole numbers [begin, end) that reach it.
void add_leaves(std::span<const ForestNode> nodes, std::uint32_t node, std::size_t begin, std::size_t end,
                std::span<double> sums) {
  if (begin == end) return;
  const double value = nodes[node].threshold_or_value;
  if (nodes[node].kind == ForestNode::Kind::leaf) {
    for (std::size_t tokens = begin; tokens < end; ++tokens) sums[tokens] += value;
    return;
  }
  const std::size_t border = std::clamp(static_cast<std::size_t>(std::floor(value)) + 1, begin, end);
  add_leaves(nodes, node + 1, begin, border, sums);
  add_leaves(nodes, nodes[node].right, border, end, sums);
}

}  // namespace

Curve forest_curve(std::span<const CurvePoint> points, const ForestSettings& settings) {
  DFSWEEP_EXPECT(!points.empty());
  std::vector<ForestSample> samples;
  double first = points.front().tokens, last = first;
  for (const CurvePoint& point : points) {
    samples.push_back({point.tokens, 0.0, point.seconds});
    first = std::min(first, point.tokens);
    last = std::max(last, point.tokens);
  }
  const Forest forest = grow_forest(samples, settings);

  std::vector<double> seconds(static_cast<std::size_t>(std::ceil(last)) + 1, 0.0);
  for (const std::uint32_t root : forest.roots())
    add_leaves(forest.nodes(), root, 0, seconds.size(), seconds);
  for (double& sum : seconds) sum /= static_cast<double>(forest.roots().size());

  std::vector<Coverage> coverage(seconds.size(), Coverage::interpolated);
  for (std::size_t tokens = 0; tokens < coverage.size(); ++tokens)
    if (static_cast<double>(tokens) < first || static_cast<double>(tokens) > last)
      coverage[tokens] = Coverage::extrapolated;
  for (const CurvePoint& point : points)
    if (point.tokens == std::floor(point.tokens)) coverage[static_cast<std::size_t>(point.tokens)] = Coverage::measured;

  std::vector<double> seen;
  for (const ForestSample& sample : samples) seen.push_back(forest.predict(sample.u, sample.v));
  const double left_out = mean_relative_error(left_out_predictions(forest, samples, settings), samples);
  const CurveTail flat{seconds.back(), 0.0};
  return Curve(std::move(seconds), std::move(coverage), flat,
               {mean_relative_error(seen, samples), left_out, left_out, 0.0});
}

}  // namespace dfsweep
