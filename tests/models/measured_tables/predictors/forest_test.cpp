/// Forest: tiny trees by hand, and what holds for every forest.
#include "models/measured_tables/predictors/forest.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(forest_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

using Kind = ForestNode::Kind;

int longest_way(const Forest& forest, std::uint32_t node) {
  const ForestNode& n = forest.nodes()[node];
  return n.kind == Kind::leaf ? 0 : 1 + std::max(longest_way(forest, node + 1), longest_way(forest, n.right));
}

/// A surface without symmetry on a 9 x 7 grid.
std::vector<ForestSample> bumpy() {
  std::vector<ForestSample> samples;
  for (int u = 0; u < 9; ++u)
    for (int v = 0; v < 7; ++v) samples.push_back({1.0 * u, 10.0 * v, 1.0 + u * u + 3.0 * std::sin(1.0 * u * v)});
  return samples;
}

}  // namespace

BOOST_AUTO_TEST_CASE(generator_gives_the_published_numbers) {
  // The first outputs of SplitMix64 from seed 1234567, as its authors' C program prints them.
  BOOST_TEST(random_bits(1234567, 0) == 6457827717110365317u);
  BOOST_TEST(random_bits(1234567, 1) == 3203168211198807973u);
  BOOST_TEST(random_below(~std::uint64_t{0}, 10) == 9u);
  BOOST_TEST(random_below(0, 10) == 0u);
}

BOOST_AUTO_TEST_CASE(one_key_is_one_leaf) {
  const Forest forest = grow_forest(std::vector<ForestSample>{{5, 0, 2}, {5, 0, 4}}, {.trees = 100});
  BOOST_TEST(forest.nodes().size() == 100u);  // two rows of one key are not split
  BOOST_TEST(forest.predict(1, 0) == forest.predict(9, 0));
}

BOOST_AUTO_TEST_CASE(two_keys_split_halfway) {
  const Forest forest = grow_forest(std::vector<ForestSample>{{1, 0, 2}, {3, 0, 6}}, {.trees = 20000});
  for (const ForestNode& node : forest.nodes()) {
    BOOST_TEST((node.kind != Kind::split_v));
    if (node.kind == Kind::split_u) BOOST_TEST(node.threshold_or_value == 2.0);
    if (node.kind == Kind::leaf) BOOST_TEST((node.threshold_or_value == 2.0 || node.threshold_or_value == 6.0));
  }
  // Half of the trees draw both keys, a quarter the first twice, a quarter the second twice.
  BOOST_TEST(forest.predict(2, 0) == 0.75 * 2 + 0.25 * 6, tt::tolerance(0.01));
  BOOST_TEST(forest.predict(2.5, 0) == 0.25 * 2 + 0.75 * 6, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(root_splits_where_squared_errors_fall_most) {
  const std::vector<ForestSample> step = {{1, 0, 0}, {2, 0, 0}, {3, 0, 10}, {4, 0, 10}};
  const Forest forest = grow_forest(step, {.trees = 50});
  for (const std::uint32_t root : forest.roots()) {
    if (forest.nodes()[root].kind == Kind::leaf) continue;  // all rows from one side
    const double threshold = forest.nodes()[root].threshold_or_value;
    BOOST_TEST(threshold >= 2.0);                // (1 + 3) / 2 where key 2 was not drawn
    BOOST_TEST(threshold <= 3.0);                // (2 + 4) / 2 where key 3 was not drawn
    BOOST_TEST(longest_way(forest, root) == 1);  // both sides are uniform then
  }
}

BOOST_AUTO_TEST_CASE(weighs_rows_not_keys) {
  // Splitting off 1 leaves errors 0 + 2 * 4 * 1 / 6 at most, splitting off 3 leaves at least 1 / 2 (hand computed for
  // the full sample): many repeats of the first two keys decide.
  std::vector<ForestSample> samples(40, {1, 0, 0});
  samples.insert(samples.end(), 40, {2, 0, 1});
  samples.push_back({3, 0, 2.5});
  const Forest forest = grow_forest(samples, {.trees = 20, .depth = 1});
  for (const std::uint32_t root : forest.roots()) BOOST_TEST(forest.nodes()[root].threshold_or_value == 1.5);
}

BOOST_AUTO_TEST_CASE(splits_the_feature_that_matters) {
  std::vector<ForestSample> samples;
  for (int u = 0; u < 10; ++u)
    for (int v = 0; v < 10; ++v) samples.push_back({1.0 * u, 1.0 * v, v < 5 ? 1.0 : 2.0});
  const Forest forest = grow_forest(samples, {.trees = 20});
  for (const ForestNode& node : forest.nodes()) BOOST_TEST((node.kind != Kind::split_u));
}

BOOST_AUTO_TEST_CASE(ways_are_no_longer_than_asked) {
  for (const int depth : {0, 1, 3}) {
    const Forest forest = grow_forest(bumpy(), {.trees = 10, .depth = depth});
    for (const std::uint32_t root : forest.roots()) BOOST_TEST(longest_way(forest, root) == depth);
  }
}

BOOST_AUTO_TEST_CASE(same_seed_same_forest) {
  const auto values = [](std::uint64_t seed) {
    const Forest forest = grow_forest(bumpy(), {.trees = 10, .seed = seed});
    std::vector<double> all;
    for (const ForestSample& s : bumpy()) all.push_back(forest.predict(s.u, s.v));
    return all;
  };
  BOOST_TEST(values(1) == values(1), tt::per_element());
  BOOST_TEST((values(1) != values(2)));
}

BOOST_AUTO_TEST_CASE(left_out_is_what_unseeing_trees_say) {
  // With two keys the trees that did not draw one know only the other.
  const std::vector<ForestSample> samples = {{1, 0, 2}, {3, 0, 6}};
  const ForestSettings settings{.trees = 100};
  const std::vector<double> left_out = left_out_predictions(grow_forest(samples, settings), samples, settings);
  BOOST_TEST(left_out[0] == 6.0);
  BOOST_TEST(left_out[1] == 2.0);
  BOOST_TEST(mean_relative_error(left_out, samples) == (2.0 + 2.0 / 3.0) / 2.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
