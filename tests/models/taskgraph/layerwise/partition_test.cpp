/// Partitions against all partitions of up to 12 layers.
#include "models/taskgraph/layerwise/partition.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(partition_test)

using namespace dfsweep;
using namespace dfsweep::taskgraph;

namespace {

struct BestOfAll {
  std::size_t groups = 0;                                    ///< fewest; 0: none fits
  Seconds slowest{std::numeric_limits<double>::infinity()};  ///< smallest, of those with at most `most` groups
};

/// Every one of the 2^(n-1) ways to cut a chain of n layers.
BestOfAll try_all(const std::vector<LayerNeeds>& layers, const FastMemory& memory, std::size_t most) {
  BestOfAll best;
  for (std::uint32_t cuts = 0; cuts < 1U << (layers.size() - 1); ++cuts) {
    std::size_t groups = 0;
    std::size_t first = 0;
    Seconds slowest{};
    bool fits = true;
    for (std::size_t end = 1; end <= layers.size(); ++end) {
      if (end < layers.size() && (cuts >> (end - 1) & 1U) == 0) continue;
      Bytes resident{};
      Bytes per_token{};
      Seconds time{};
      for (std::size_t layer = first; layer < end; ++layer) {
        resident += layers[layer].resident;
        per_token = std::max(per_token, layers[layer].per_token);
        time += layers[layer].time;
      }
      fits = fits && resident + memory.tile * per_token <= memory.capacity;
      slowest = std::max(slowest, time);
      first = end;
      ++groups;
    }
    if (!fits) continue;
    if (best.groups == 0 || groups < best.groups) best.groups = groups;
    if (groups <= most && slowest < best.slowest) best.slowest = slowest;
  }
  return best;
}

std::vector<LayerNeeds> random_layers(std::mt19937_64& random) {
  std::vector<LayerNeeds> layers(1 + random() % 12);
  const std::uint64_t sizes = 2 + random() % 20;
  for (LayerNeeds& layer : layers)
    layer = {Bytes{static_cast<double>(random() % sizes)}, Bytes{static_cast<double>(random() % 4)},
             Seconds{static_cast<double>(1 + random() % sizes)}};
  return layers;
}

/// Slowest group of a partition that was returned; infinite where a group does not fit.
Seconds slowest_of(const std::vector<LayerNeeds>& layers, const FastMemory& memory,
                   std::span<const std::uint32_t> ends) {
  Seconds slowest{};
  std::size_t first = 0;
  for (const std::uint32_t end : ends) {
    const auto group = std::span(layers).subspan(first, end - first);
    if (bytes_of_group(group, memory.tile) > memory.capacity) return Seconds{std::numeric_limits<double>::infinity()};
    Seconds time{};
    for (const LayerNeeds& layer : group) time += layer.time;
    slowest = std::max(slowest, time);
    first = end;
  }
  BOOST_TEST_REQUIRE(first == layers.size());
  return slowest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_best_of_all_partitions) {
  std::mt19937_64 random(11);
  int none = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::vector<LayerNeeds> layers = random_layers(random);
    const FastMemory memory{Bytes{static_cast<double>(5 + random() % 60)}, static_cast<double>(1 + random() % 4)};
    const std::size_t groups = fewest_groups(layers, memory);
    const BestOfAll fewest = try_all(layers, memory, groups);
    BOOST_TEST_REQUIRE(groups == fewest.groups);
    std::vector<std::uint32_t> ends(layers.size());
    none += groups == 0;
    for (std::size_t most = std::max<std::size_t>(groups, 1); most <= layers.size(); ++most) {
      const std::size_t used = smallest_slowest(layers, memory, most, ends);
      BOOST_TEST_REQUIRE((used == 0) == (groups == 0));
      if (used == 0) continue;
      BOOST_TEST_REQUIRE(used <= most);
      BOOST_REQUIRE(slowest_of(layers, memory, std::span(ends).first(used)) == try_all(layers, memory, most).slowest);
    }
  }
  BOOST_TEST(none > 30);
  BOOST_TEST(none < 2000);
}

BOOST_AUTO_TEST_CASE(the_largest_tile_is_the_last_that_fits) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<LayerNeeds> layers = random_layers(random);
    const Bytes capacity{static_cast<double>(5 + random() % 60)};
    const std::size_t groups = 1 + random() % layers.size();
    const double most = static_cast<double>(1 + random() % 40);
    double expected = 0.0;
    for (double tile = 1.0; tile <= most; ++tile) {
      const std::size_t needed = fewest_groups(layers, {capacity, tile});
      if (needed > 0 && needed <= groups) expected = tile;
    }
    BOOST_TEST_REQUIRE(largest_tile(layers, capacity, groups, most) == expected);
  }
}

BOOST_AUTO_TEST_CASE(a_layer_that_does_not_fit_alone_leaves_no_partition) {
  const std::vector<LayerNeeds> layers = {{Bytes{5}, Bytes{1}, Seconds{1}}, {Bytes{9}, Bytes{1}, Seconds{1}}};
  BOOST_TEST(fewest_groups(layers, {Bytes{9}, 1.0}) == 0U);
  BOOST_TEST(fewest_groups(layers, {Bytes{10}, 1.0}) == 2U);
  BOOST_TEST(fewest_groups(layers, {Bytes{15}, 1.0}) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
