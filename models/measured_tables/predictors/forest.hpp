/// Forest: the mean of regression trees on one or two features, each grown on a bootstrap sample of the measurements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

struct ForestSample {
  double u = 0.0;
  double v = 0.0;  ///< constant where only one feature is used
  double value = 0.0;
};

/// The defaults are those of [vidur]. A node with at least two keys is split.
struct ForestSettings {
  int trees = 250;
  int depth = 16;  ///< maximum depth
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
  /// `nodes`: all trees in sequence, each in pre-order. `roots`: the first node of each tree. Pre: at least one tree.
  Forest(std::vector<ForestNode> nodes, std::vector<std::uint32_t> roots);

  [[nodiscard]] double predict(double u, double v) const;
  [[nodiscard]] std::span<const ForestNode> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> roots() const { return roots_; }

 private:
  std::vector<ForestNode> nodes_;
  std::vector<std::uint32_t> roots_;
};

/// Every tree uses a bootstrap sample of all rows. Splits minimise the sum of squared errors, halfway between
/// neighbouring keys; a leaf is the mean of its rows. Ties between the two features are broken at random. Sources:
/// [randomforest]; rules of splitting as in [sklearn].
/// Pre: at least one sample; settings.trees >= 1.
Forest grow_forest(std::span<const ForestSample> samples, const ForestSettings& settings);

/// [sample] Out-of-bag predictions: mean over the trees that drew no row of its key; NaN where every tree drew one.
/// Pre: `forest` was grown from these samples with these settings.
std::vector<double> left_out_predictions(const Forest& forest, std::span<const ForestSample> samples,
                                         const ForestSettings& settings);

/// Mean |predicted / value - 1| over the samples with a positive value and a prediction other than NaN; 0 without such
/// samples.
double mean_relative_error(std::span<const double> predicted, std::span<const ForestSample> samples);

}  // namespace dfsweep
