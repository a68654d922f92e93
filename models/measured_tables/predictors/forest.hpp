/// Forest: the mean of regression trees on one or two features, each grown on a bootstrap sample of the measurements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::inference {

struct ForestSample {
  double u = 0.0;
  double v = 0.0;  ///< the same everywhere where there is one feature
  double value = 0.0;
};

/// The defaults are those that [vidur] settles on. A node is split wherever it holds two keys.
struct ForestSettings {
  int trees = 250;
  int depth = 16;  ///< splits on the way to a leaf at most
  std::uint64_t seed = 42;
};

/// Inner node: keys with feature <= threshold go to the next node, the others to node `right`. Leaf: `value`.
struct ForestNode {
  enum class Kind : std::uint32_t { leaf, split_u, split_v };
  Kind kind = Kind::leaf;
  std::uint32_t right = 0;
  double threshold_or_value = 0.0;
};

class Forest {
 public:
  /// `nodes`: tree after tree, each in pre-order. `roots`: the first node of each tree. Pre: at least one tree.
  Forest(std::vector<ForestNode> nodes, std::vector<std::uint32_t> roots);

  [[nodiscard]] double predict(double u, double v) const;
  [[nodiscard]] std::span<const ForestNode> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> roots() const { return roots_; }

 private:
  std::vector<ForestNode> nodes_;
  std::vector<std::uint32_t> roots_;
};

/// Every tree draws as many rows as there are samples, with replacement, and splits where the sum of squared errors
/// falls most, halfway between neighbouring keys; a leaf is the mean of its rows. Between equally good splits of the
/// two features a coin decides. Sources: [randomforest]; rules of splitting as in [sklearn].
/// Pre: at least one sample; settings.trees >= 1.
Forest grow_forest(std::span<const ForestSample> samples, const ForestSettings& settings);

/// [sample] mean over the trees that drew no row of its key; NaN where every tree drew one.
/// Pre: `forest` was grown from these samples with these settings.
std::vector<double> left_out_predictions(const Forest& forest, std::span<const ForestSample> samples,
                                         const ForestSettings& settings);

/// Mean |predicted / value - 1| over the samples of positive value with a prediction that is not NaN; 0 without any.
double mean_relative_error(std::span<const double> predicted, std::span<const ForestSample> samples);

}  // namespace dfsweep::inference
