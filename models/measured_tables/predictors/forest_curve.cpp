/// Forest over one feature: keys stay sorted, so a node is a range of keys and a leaf is a range of tokens.
#include "models/measured_tables/predictors/forest_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

/// Number of rows and sum of their values, of one key or of all previous keys.
struct Count {
  double rows = 0.0;
  double sum = 0.0;
};

Count operator-(const Count& a, const Count& b) {
  return {a.rows - b.rows, a.sum - b.sum};
}

/// Sums of predictions over trees, for whole tokens and for measured keys.
class LineForest {
 public:
  explicit LineForest(std::span<const CurvePoint> points) {
    // The original uses single precision for features, which affects whole numbers close to a border between two
    // fractional keys.
    for (const CurvePoint& point : points) keys_.push_back(static_cast<double>(static_cast<float>(point.tokens)));
    const std::vector<double> key_of_point = keys_;
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    for (std::size_t row = 0; row < points.size(); ++row) {
      const auto found = std::lower_bound(keys_.begin(), keys_.end(), key_of_point[row]);
      key_of_row_.push_back(static_cast<std::size_t>(found - keys_.begin()));
      values_.push_back(points[row].seconds);
    }
    for (std::size_t rows = 0; rows <= values_.size(); ++rows)
      per_row_.push_back(1.0 / static_cast<double>(std::max<std::size_t>(rows, 1)));
    steps_.resize(static_cast<std::size_t>(std::min(std::ceil(keys_.back()), last_tabulated_tokens)) + 2);
    seen_.resize(keys_.size());
    left_out_.resize(keys_.size());
  }

  /// Grows the same tree as grow_forest and adds it to the sums.
  void add_tree(std::uint64_t tree_seed, int depth) {
    std::vector<Count>& counts = counts_of_keys_;
    counts.assign(keys_.size(), {});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t row = random_below(random_bits(tree_seed, i), values_.size());
      counts[key_of_row_[row]].rows += 1.0;
      counts[key_of_row_[row]].sum += values_[row];
    }
    drawn_.clear();
    before_.assign(1, {});
    for (std::size_t key = 0; key < counts.size(); ++key) {
      if (counts[key].rows == 0.0) continue;
      drawn_.push_back(key);
      before_.push_back({before_.back().rows + counts[key].rows, before_.back().sum + counts[key].sum});
    }
    next_token_ = 0;
    next_key_ = 0;
    grow(0, drawn_.size(), depth);
    ++trees_;
  }

  /// [tokens] Mean over the trees.
  [[nodiscard]] std::vector<double> seconds() const {
    std::vector<double> means;
    double sum = 0.0;
    for (std::size_t tokens = 0; tokens + 1 < steps_.size(); ++tokens)
      means.push_back((sum += steps_[tokens]) / trees_);
    return means;
  }
  /// Mean relative error at the rows, over all trees and over out-of-bag trees only.
  [[nodiscard]] std::pair<double, double> errors() const {
    Count seen, left_out;
    for (std::size_t row = 0; row < values_.size(); ++row) {
      if (!(values_[row] > 0.0)) continue;
      const std::size_t key = key_of_row_[row];
      const auto add_error = [&](Count& errors, double prediction) {
        errors.sum += std::abs(prediction / values_[row] - 1.0);
        errors.rows += 1.0;
      };
      add_error(seen, seen_[key] / trees_);
      if (left_out_[key].rows > 0.0) add_error(left_out, left_out_[key].sum / left_out_[key].rows);
    }
    return {seen.sum / std::max(seen.rows, 1.0), left_out.sum / std::max(left_out.rows, 1.0)};
  }

 private:
  /// Grows the node of the drawn keys [begin, end).
  void grow(std::size_t begin, std::size_t end, int depth) {
    const std::size_t border = depth > 0 ? best_border(begin, end) : end;
    if (border == end) return add_leaf(begin, end);
    grow(begin, border, depth - 1);
    grow(border, end, depth - 1);
  }
  /// First drawn key on the right side of the best split; `end` where all means are equal.
  [[nodiscard]] std::size_t best_border(std::size_t begin, std::size_t end) const {
    const Count first = before_[begin];
    const Count total = before_[end] - first;
    std::size_t best = end;
    double best_gain = total.sum * total.sum * reciprocal(total) * (1.0 + 1e-13);
    for (std::size_t border = begin + 1; border < end; ++border) {
      const Count left = before_[border] - first;
      const Count right = total - left;
      const double gain = left.sum * left.sum * reciprocal(left) + right.sum * right.sum * reciprocal(right);
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = border;
    }
    return best;
  }
  [[nodiscard]] double reciprocal(const Count& count) const { return per_row_[static_cast<std::size_t>(count.rows)]; }

  /// Adds a leaf; leaves come from left to right, and each extends halfway to the next drawn key.
  void add_leaf(std::size_t begin, std::size_t end) {
    const Count own = before_[end] - before_[begin];
    const double value = own.sum / own.rows;
    const bool is_last = end == drawn_.size();
    const double border = is_last ? keys_.back() : keys_[drawn_[end - 1]] / 2.0 + keys_[drawn_[end]] / 2.0;
    const std::size_t first = next_token_;
    next_token_ = is_last || border >= last_tabulated_tokens ? steps_.size() - 1
                                                             : static_cast<std::size_t>(std::floor(border)) + 1;
    steps_[first] += value;
    steps_[next_token_] -= value;
    for (; next_key_ < keys_.size() && keys_[next_key_] <= border; ++next_key_) {
      seen_[next_key_] += value;
      if (counts_of_keys_[next_key_].rows > 0.0) continue;
      left_out_[next_key_].rows += 1.0;
      left_out_[next_key_].sum += value;
    }
  }

  std::vector<double> keys_;             ///< ascending and distinct
  std::vector<std::size_t> key_of_row_;  ///< [row]
  std::vector<double> values_;           ///< [row]
  std::vector<double> per_row_;          ///< [rows] 1 / rows
  double trees_ = 0.0;
  std::vector<double> steps_;    ///< [tokens] increment of the sum over the trees
  std::vector<double> seen_;     ///< [key] sum of predictions over all trees
  std::vector<Count> left_out_;  ///< [key] sum of predictions over out-of-bag trees

  std::vector<Count> counts_of_keys_;  ///< [key] draws of the current tree
  std::vector<std::size_t> drawn_;     ///< keys drawn by the current tree
  std::vector<Count> before_;          ///< [drawn] prefix sums over the drawn keys
  std::size_t next_token_ = 0;         ///< first token without a leaf
  std::size_t next_key_ = 0;
};

std::vector<Coverage> coverage_of(std::span<const CurvePoint> points, std::size_t count) {
  double first = points.front().tokens, last = first;
  for (const CurvePoint& point : points) {
    first = std::min(first, point.tokens);
    last = std::max(last, point.tokens);
  }
  std::vector<Coverage> coverage(count, Coverage::interpolated);
  for (std::size_t tokens = 0; tokens < count; ++tokens)
    if (static_cast<double>(tokens) < first || static_cast<double>(tokens) > last)
      coverage[tokens] = Coverage::extrapolated;
  for (const CurvePoint& point : points)
    if (point.tokens == std::floor(point.tokens) && point.tokens < static_cast<double>(count))
      coverage[static_cast<std::size_t>(point.tokens)] = Coverage::measured;
  return coverage;
}

}  // namespace

Curve forest_curve(std::span<const CurvePoint> points, const ForestSettings& settings) {
  DFSWEEP_EXPECT(!points.empty() && settings.trees >= 1);
  LineForest forest(points);
  for (std::uint64_t tree = 0; tree < static_cast<std::uint64_t>(settings.trees); ++tree)
    forest.add_tree(random_bits(settings.seed, tree), settings.depth);
  std::vector<double> seconds = forest.seconds();
  const auto [seen, left_out] = forest.errors();
  std::vector<Coverage> coverage = coverage_of(points, seconds.size());
  const CurveTail flat{seconds.back(), 0.0};
  return Curve(std::move(seconds), std::move(coverage), flat, {seen, left_out, left_out, 0.0});
}

}  // namespace dfsweep
