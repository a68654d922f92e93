/// The reference set-up of layers in caches by hand.
#include "models/taskgraph/strategies/layerwise.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(layerwise_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

/// "537 MB of weights" is one matrix of 16384 x 16384 numbers of 2 B, "41.9 GB of activations" 128 x 10 000 x 16384.
BOOST_AUTO_TEST_CASE(layerwise_sizes_of_the_source_by_hand) {
  const NamedEstimate r = layerwise_point().set("convention", "source").evaluate();
  BOOST_TEST(r.status == "out_of_cache");
  BOOST_TEST(r["layer_weights"] == 536870912.0);
  BOOST_TEST(r["layer_activations"] == 41943040000.0);
  BOOST_TEST(r["cache_fit"] == 50e6 / (536870912.0 + 32768), tt::tolerance(1e-12));
  BOOST_TEST(r["shortfall"] == 1 / r["cache_fit"], tt::tolerance(1e-12));
  // Queries and output 16384 x 4096, keys and values likewise, up and down 16384 x 16384: 805 306 368 numbers.
  BOOST_TEST(layerwise_point().evaluate()["layer_weights"] == 2 * 805306368.0);
}

namespace {

constexpr double tokens = 1.28e6;
constexpr double layer_of_token = 2 * 268435456.0 / 1e15;  ///< 16384 x 16384 at 1 PFLOP/s

double link_of(double tile) {
  return tile * 32768 / 5e11 + 1e-6;
}

}  // namespace

/// Small tiles shorten the way of the first tile, until a transfer, with its latency, takes longer than a layer: tiles
/// of about 1 us / (0.536870912 us - 0.065536 us) = 2.12 tokens, so that the largest has 3.
BOOST_AUTO_TEST_CASE(layerwise_by_hand) {
  const NamedEstimate r = layerwise_point().set("convention", "source").set("cache_capacity", 600e6).evaluate();
  BOOST_TEST(r.status == "ok");
  BOOST_TEST(r["token_tile_used"] == 3);
  BOOST_TEST(r["layer_groups"] == 16);
  const double tiles = std::floor(tokens * (layer_of_token - 32768 / 5e11) / 1e-6);
  const double tile = tokens / tiles;
  BOOST_TEST(r["step_time"] == (15 + tiles) * tile * layer_of_token + 15 * link_of(tile), tt::tolerance(1e-11));
  BOOST_TEST(r["cache_fit"] == 600e6 / (536870912.0 + 3 * 32768), tt::tolerance(1e-12));
}

/// Two layers fit together: 8 devices, of which each takes two. They take longer than a transfer of one token.
BOOST_AUTO_TEST_CASE(layerwise_takes_the_fewest_devices) {
  const NamedEstimate r = layerwise_point().set("convention", "source").set("cache_capacity", 1.5e9).evaluate();
  BOOST_TEST(r["layer_groups"] == 8);
  BOOST_TEST(r["token_tile_used"] == 1);
  BOOST_TEST(r["devices_used"] == 8);
  BOOST_TEST(r["step_time"] == (16 + 2 * (tokens - 1)) * layer_of_token + 7 * link_of(1), tt::tolerance(1e-12));
}

/// The same on all devices: 16 groups of a layer. The baseline has the same matrix in every layer, a column block on
/// each of 8 devices, in two stages of 8 layers.
BOOST_AUTO_TEST_CASE(layerwise_may_take_all_devices) {
  TaskGraphPoint point = layerwise_point();
  point.set("convention", "source").set("cache_capacity", 1.5e9).set("placement", "fastest");
  const NamedEstimate r = point.evaluate();
  BOOST_TEST(r["layer_groups"] == 16);
  const double layer = 2 * 1.28e6 * 268435456 / 8 / 1e15;
  BOOST_TEST(r["baseline_time"] == 16 * layer + 41943040000.0 / 5e11 + 1e-6, tt::tolerance(1e-12));
}

/// Operands from DRAM: weights of 134.217728 us a tile and 0.016384 us a token take as long as 257.87 tokens compute.
BOOST_AUTO_TEST_CASE(layerwise_from_dram_by_hand) {
  const NamedEstimate r = layerwise_point().set("convention", "source").set("spill", "stream").evaluate();
  const double weights = 536870912.0 / 4e12;
  const double tiles = std::floor(tokens * (layer_of_token - 65536 / 4e12) / weights);
  const double tile = tokens / tiles;
  BOOST_TEST(r["token_tile_used"] == 258);
  BOOST_TEST(r["step_time"] == (15 + tiles) * tile * layer_of_token + 15 * link_of(tile), tt::tolerance(1e-9));
  BOOST_TEST(r["cache_fit"] < 1);
}

/// A cache of 1 GB/s is slower than DRAM; only placement fastest avoids it.
BOOST_AUTO_TEST_CASE(a_slow_cache_is_avoided) {
  TaskGraphPoint point = layerwise_point();
  point.set("spill", "stream").set("placement", "fastest").set("cache_bandwidth", 1e9);
  const double streamed = point.evaluate()["step_time"];
  BOOST_TEST(point.set("cache_capacity", 80e9).evaluate()["step_time"] == streamed);
  BOOST_TEST(point.set("placement", "fewest_devices").evaluate()["step_time"] > 2 * streamed);
}

/// token_tile and micro_batches only bound the tiles.
BOOST_AUTO_TEST_CASE(tiles_are_bounded) {
  TaskGraphPoint point = layerwise_point();
  point.set("cache_capacity", 80e9).set("cache_bandwidth", 1e12);
  const NamedEstimate free = point.evaluate();
  BOOST_TEST_REQUIRE(free["token_tile_used"] > 10);
  const NamedEstimate bounded = point.set("token_tile", 10).evaluate();
  BOOST_TEST(bounded["token_tile_used"] <= 10);
  BOOST_TEST(bounded["step_time"] > free["step_time"]);
}

BOOST_AUTO_TEST_SUITE_END()
