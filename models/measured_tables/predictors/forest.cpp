#include "models/measured_tables/predictors/forest.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

/// Distinct values of a feature, ascending.
std::vector<double> distinct(std::span<const ForestSample> samples, double ForestSample::*feature) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const ForestSample& sample : samples) values.push_back(sample.*feature);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::uint32_t rank_of(std::span<const double> values, double value) {
  return static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

/// All rows of a bootstrap sample with the same key.
struct DrawnKey {
  std::uint32_t u = 0;  ///< rank of the value
  std::uint32_t v = 0;
  double rows = 0.0;
  double sum = 0.0;  ///< sum of the values of the rows
};

/// Range of ranks of a feature in a node.
struct RankRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct Bin {
  double rows = 0.0;
  double sum = 0.0;
};

double leaf_of(std::span<const ForestNode> nodes, std::uint32_t root, double u, double v) {
  std::uint32_t at = root;
  while (nodes[at].kind != ForestNode::Kind::leaf) {
    const double feature = nodes[at].kind == ForestNode::Kind::split_u ? u : v;
    at = feature <= nodes[at].threshold_or_value ? at + 1 : nodes[at].right;
  }
  return nodes[at].threshold_or_value;
}

struct Split {
  double gain = -1.0;  ///< sum over both sides of sum^2 / rows: maximal where the squared error is minimal
  std::uint32_t last_left = 0;
  std::uint32_t first_right = 0;
};

/// The distinct keys of the samples and the bootstrap samples of the trees. All draws are determined by the seed, so
/// that the out-of-bag rows of a tree can be recomputed.
class Bootstrap {
 public:
  Bootstrap(std::span<const ForestSample> samples, std::uint64_t seed)
      : u_values_(distinct(samples, &ForestSample::u)), v_values_(distinct(samples, &ForestSample::v)), seed_(seed) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;  // key, row
    for (std::size_t row = 0; row < samples.size(); ++row) {
      const std::uint64_t u = rank_of(u_values_, samples[row].u);
      order.emplace_back(u << 32 | rank_of(v_values_, samples[row].v), row);
      values_.push_back(samples[row].value);
    }
    std::sort(order.begin(), order.end());
    key_of_row_.resize(samples.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint64_t key = order[i].first;
      if (i == 0 || key != order[i - 1].first)
        keys_.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), 0.0, 0.0});
      key_of_row_[order[i].second] = keys_.size() - 1;
    }
  }

  [[nodiscard]] const std::vector<double>& u_values() const { return u_values_; }
  [[nodiscard]] const std::vector<double>& v_values() const { return v_values_; }
  [[nodiscard]] std::size_t key_of_row(std::size_t row) const { return key_of_row_[row]; }
  /// Random seed of a tree; counters up to the number of rows are the draws.
  [[nodiscard]] std::uint64_t tree_seed(std::size_t tree) const { return random_bits(seed_, tree); }
  [[nodiscard]] std::size_t rows() const { return values_.size(); }

  /// [key] The draws of `tree`; keys without draws have 0 rows.
  [[nodiscard]] std::vector<DrawnKey> draw(std::size_t tree) const {
    std::vector<DrawnKey> drawn = keys_;
    const std::uint64_t seed = tree_seed(tree);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t row = random_below(random_bits(seed, i), values_.size());
      drawn[key_of_row_[row]].rows += 1.0;
      drawn[key_of_row_[row]].sum += values_[row];
    }
    return drawn;
  }

 private:
  std::vector<double> u_values_, v_values_;
  std::vector<double> values_;           ///< [row]
  std::vector<std::size_t> key_of_row_;  ///< [row]
  std::vector<DrawnKey> keys_;           ///< keys with 0 rows
  std::uint64_t seed_;
};

/// Grows the trees of one forest with shared buffers.
class Grower {
 public:
  Grower(std::span<const ForestSample> samples, const ForestSettings& settings)
      : settings_(settings),
        bootstrap_(samples, settings.seed),
        u_values_(bootstrap_.u_values()),
        v_values_(bootstrap_.v_values()),
        u_bins_(u_values_.size()),
        v_bins_(v_values_.size()) {}

  Forest grow() {
    for (int tree = 0; tree < settings_.trees; ++tree) {
      drawn_ = bootstrap_.draw(static_cast<std::size_t>(tree));
      std::erase_if(drawn_, [](const DrawnKey& key) { return key.rows == 0.0; });
      seed_ = bootstrap_.tree_seed(static_cast<std::size_t>(tree));
      counter_ = bootstrap_.rows();
      roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      grow_node(0, drawn_.size(), 0);
    }
    return Forest(std::move(nodes_), std::move(roots_));
  }

 private:
  /// Grows the subtree of keys [begin, end).
  void grow_node(std::size_t begin, std::size_t end, int depth) {
    const std::size_t node = nodes_.size();
    nodes_.emplace_back();
    Bin total;
    RankRange u{drawn_[begin].u, drawn_[begin].u}, v{drawn_[begin].v, drawn_[begin].v};
    bool uniform = true;
    const double first_mean = drawn_[begin].sum / drawn_[begin].rows;
    for (std::size_t i = begin; i < end; ++i) {
      const DrawnKey& key = drawn_[i];
      total.rows += key.rows;
      total.sum += key.sum;
      u = {std::min(u.first, key.u), std::max(u.last, key.u)};
      v = {std::min(v.first, key.v), std::max(v.last, key.v)};
      uniform = uniform && key.sum == first_mean * key.rows;
    }
    nodes_[node].threshold_or_value = total.sum / total.rows;
    if (end - begin < 2 || depth >= settings_.depth || uniform) return;

    const Split by_u = best_split(begin, end, &DrawnKey::u, u, total, u_bins_);
    const Split by_v = best_split(begin, end, &DrawnKey::v, v, total, v_bins_);
    const bool tied = by_u.gain == by_v.gain;
    const bool use_u = tied ? random_bits(seed_, counter_++) >> 63 != 0 : by_u.gain > by_v.gain;
    const Split& split = use_u ? by_u : by_v;
    const std::vector<double>& values = use_u ? u_values_ : v_values_;
    nodes_[node].kind = use_u ? ForestNode::Kind::split_u : ForestNode::Kind::split_v;
    nodes_[node].threshold_or_value = values[split.last_left] / 2.0 + values[split.first_right] / 2.0;

    const auto middle = std::partition(drawn_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       drawn_.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](const DrawnKey& key) { return (use_u ? key.u : key.v) <= split.last_left; });
    const auto border = static_cast<std::size_t>(middle - drawn_.begin());
    grow_node(begin, border, depth + 1);
    nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
    grow_node(border, end, depth + 1);
  }

  /// Best split of keys [begin, end) by the feature with the member `rank`, whose ranks are in `range`.
  Split best_split(std::size_t begin, std::size_t end, std::uint32_t DrawnKey::*rank, RankRange range, const Bin& total,
                   std::span<Bin> bins) const {
    Split best;
    if (range.first == range.last) return best;
    std::fill(bins.begin() + range.first, bins.begin() + range.last + 1, Bin{});
    for (std::size_t i = begin; i < end; ++i) {
      Bin& bin = bins[drawn_[i].*rank];
      bin.rows += drawn_[i].rows;
      bin.sum += drawn_[i].sum;
    }
    Bin left = bins[range.first];
    std::uint32_t last = range.first;
    for (std::uint32_t r = range.first + 1; r <= range.last; ++r) {
      if (bins[r].rows == 0.0) continue;
      const double right_rows = total.rows - left.rows;
      const double right_sum = total.sum - left.sum;
      const double gain = left.sum * left.sum / left.rows + right_sum * right_sum / right_rows;
      if (gain > best.gain) best = {gain, last, r};
      left.rows += bins[r].rows;
      left.sum += bins[r].sum;
      last = r;
    }
    return best;
  }

  ForestSettings settings_;
  Bootstrap bootstrap_;
  const std::vector<double>& u_values_;
  const std::vector<double>& v_values_;
  std::vector<DrawnKey> drawn_;           ///< keys of the current tree; every node is a range of them
  std::vector<Bin> u_bins_, v_bins_;      ///< [rank]
  std::uint64_t seed_ = 0, counter_ = 0;  ///< of the tie-breaking draws of the current tree
  std::vector<ForestNode> nodes_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace

Forest::Forest(std::vector<ForestNode> nodes, std::vector<std::uint32_t> roots)
    : nodes_(std::move(nodes)), roots_(std::move(roots)) {
  DFSWEEP_EXPECT(!roots_.empty());
}

double Forest::predict(double u, double v) const {
  double sum = 0.0;
  for (const std::uint32_t root : roots_) sum += leaf_of(nodes_, root, u, v);
  return sum / static_cast<double>(roots_.size());
}

Forest grow_forest(std::span<const ForestSample> samples, const ForestSettings& settings) {
  DFSWEEP_EXPECT(!samples.empty());
  DFSWEEP_EXPECT(settings.trees >= 1);
  return Grower(samples, settings).grow();
}

std::vector<double> left_out_predictions(const Forest& forest, std::span<const ForestSample> samples,
                                         const ForestSettings& settings) {
  const Bootstrap bootstrap(samples, settings.seed);
  std::vector<Bin> said;  // [key] predictions of the trees that did not draw it
  for (std::size_t tree = 0; tree < forest.roots().size(); ++tree) {
    const std::vector<DrawnKey> drawn = bootstrap.draw(tree);
    said.resize(drawn.size());
    for (std::size_t key = 0; key < drawn.size(); ++key) {
      if (drawn[key].rows > 0.0) continue;
      said[key].rows += 1.0;
      said[key].sum += leaf_of(forest.nodes(), forest.roots()[tree], bootstrap.u_values()[drawn[key].u],
                               bootstrap.v_values()[drawn[key].v]);
    }
  }
  std::vector<double> predictions;
  predictions.reserve(samples.size());
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const Bin& bin = said[bootstrap.key_of_row(row)];
    predictions.push_back(bin.sum / bin.rows);
  }
  return predictions;
}

double mean_relative_error(std::span<const double> predicted, std::span<const ForestSample> samples) {
  DFSWEEP_EXPECT(predicted.size() == samples.size());
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!(samples[i].value > 0.0) || !is_given(predicted[i])) continue;
    sum += std::abs(predicted[i] / samples[i].value - 1.0);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace dfsweep
