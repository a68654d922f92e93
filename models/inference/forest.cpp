#include "models/inference/forest.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "models/expect.hpp"
#include "models/inference/random_bits.hpp"

namespace dfsweep {

namespace {

/// Where a feature takes its values: ascending and distinct.
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
  double sum = 0.0;  ///< of the values of the rows
};

/// Ranks of a feature that occur in a node.
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
  double gain = -1.0;  ///< sum^2 / rows of both sides: large where squared errors are small
  std::uint32_t last_left = 0;
  std::uint32_t first_right = 0;
};

/// Grows the trees of one forest; its buffers serve all of them.
class Grower {
 public:
  Grower(std::span<const ForestSample> samples, const ForestSettings& settings)
      : settings_(settings), u_values_(distinct(samples, &ForestSample::u)),
        v_values_(distinct(samples, &ForestSample::v)), u_bins_(u_values_.size()), v_bins_(v_values_.size()) {
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
    left_out_.resize(keys_.size());
  }

  GrownForest grow() {
    for (int tree = 0; tree < settings_.trees; ++tree) {
      draw(random_bits(settings_.seed, static_cast<std::uint64_t>(tree)));
      roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      grow_node(0, drawn_.size(), 0);
      ask_left_out();
    }
    std::vector<double> left_out;
    left_out.reserve(values_.size());
    for (const std::size_t key : key_of_row_) left_out.push_back(left_out_[key].sum / left_out_[key].rows);
    return {Forest(std::move(nodes_), std::move(roots_)), std::move(left_out)};
  }

 private:
  void draw(std::uint64_t seed) {
    seed_ = seed;
    counter_ = 0;
    std::vector<DrawnKey> all = keys_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t row = random_below(next(), values_.size());
      all[key_of_row_[row]].rows += 1.0;
      all[key_of_row_[row]].sum += values_[row];
    }
    drawn_.clear();
    not_drawn_.clear();
    for (std::size_t key = 0; key < all.size(); ++key) {
      if (all[key].rows > 0.0)
        drawn_.push_back(all[key]);
      else
        not_drawn_.push_back(key);
    }
  }

  /// What the tree just grown says about the keys that it has not seen.
  void ask_left_out() {
    for (const std::size_t key : not_drawn_) {
      left_out_[key].sum += leaf_of(nodes_, roots_.back(), u_values_[keys_[key].u], v_values_[keys_[key].v]);
      left_out_[key].rows += 1.0;
    }
  }

  std::uint64_t next() { return random_bits(seed_, counter_++); }

  /// Grows the node of keys [begin, end) and all below it.
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

    fill_bins(begin, end, u, v);
    const Split by_u = best_split(u_bins_, u, total);
    const Split by_v = best_split(v_bins_, v, total);
    const bool tied = by_u.gain == by_v.gain;
    const bool use_u = tied ? next() >> 63 != 0 : by_u.gain > by_v.gain;
    const Split& split = use_u ? by_u : by_v;
    const std::vector<double>& values = use_u ? u_values_ : v_values_;
    nodes_[node].kind = use_u ? ForestNode::Kind::split_u : ForestNode::Kind::split_v;
    nodes_[node].threshold_or_value = values[split.last_left] / 2.0 + values[split.first_right] / 2.0;

    const auto middle = std::partition(
        drawn_.begin() + static_cast<std::ptrdiff_t>(begin), drawn_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](const DrawnKey& key) { return (use_u ? key.u : key.v) <= split.last_left; });
    const auto border = static_cast<std::size_t>(middle - drawn_.begin());
    grow_node(begin, border, depth + 1);
    nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
    grow_node(border, end, depth + 1);
  }

  void fill_bins(std::size_t begin, std::size_t end, RankRange u, RankRange v) {
    std::fill(u_bins_.begin() + u.first, u_bins_.begin() + u.last + 1, Bin{});
    std::fill(v_bins_.begin() + v.first, v_bins_.begin() + v.last + 1, Bin{});
    for (std::size_t i = begin; i < end; ++i) {
      const DrawnKey& key = drawn_[i];
      u_bins_[key.u].rows += key.rows;
      u_bins_[key.u].sum += key.sum;
      v_bins_[key.v].rows += key.rows;
      v_bins_[key.v].sum += key.sum;
    }
  }

  static Split best_split(std::span<const Bin> bins, RankRange range, const Bin& total) {
    Split best;
    Bin left = bins[range.first];
    std::uint32_t last = range.first;
    for (std::uint32_t rank = range.first + 1; rank <= range.last; ++rank) {
      if (bins[rank].rows == 0.0) continue;
      const double right_rows = total.rows - left.rows;
      const double right_sum = total.sum - left.sum;
      const double gain = left.sum * left.sum / left.rows + right_sum * right_sum / right_rows;
      if (gain > best.gain) best = {gain, last, rank};
      left.rows += bins[rank].rows;
      left.sum += bins[rank].sum;
      last = rank;
    }
    return best;
  }

  ForestSettings settings_;
  std::vector<double> u_values_, v_values_;
  std::vector<double> values_;            ///< [row]
  std::vector<std::size_t> key_of_row_;   ///< [row]
  std::vector<DrawnKey> keys_;            ///< all keys, nothing drawn
  std::vector<Bin> left_out_;             ///< [key] trees that did not draw it, and the sum of what they say
  std::vector<std::size_t> not_drawn_;    ///< keys that this tree did not draw
  std::vector<DrawnKey> drawn_;           ///< those of this tree; every node is a range of them
  std::vector<Bin> u_bins_, v_bins_;      ///< [rank]
  std::uint64_t seed_ = 0, counter_ = 0;  ///< of the generator of this tree
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

GrownForest grow_forest(std::span<const ForestSample> samples, const ForestSettings& settings) {
  DFSWEEP_EXPECT(!samples.empty());
  DFSWEEP_EXPECT(settings.trees >= 1);
  return Grower(samples, settings).grow();
}

double mean_relative_error(std::span<const double> predicted, std::span<const ForestSample> samples) {
  DFSWEEP_EXPECT(predicted.size() == samples.size());
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!(samples[i].value > 0.0) || std::isnan(predicted[i])) continue;
    sum += std::abs(predicted[i] / samples[i].value - 1.0);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace dfsweep
