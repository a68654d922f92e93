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

/// A cache of 600 MB: 63 129 088 B beside the weights hold 1926 tokens of 32 768 B. 1.28 M tokens are 665 tiles, spread
/// evenly 1925 tokens each. A tile is 1925 x 16384 x 16384, 1.03347650560 ms, and travels on in 0.126155e-3 + 1 us.
BOOST_AUTO_TEST_CASE(layerwise_by_hand) {
  const NamedEstimate r = layerwise_point().set("convention", "source").set("cache_capacity", 600e6).evaluate();
  BOOST_TEST(r.status == "ok");
  BOOST_TEST(r["token_tile_used"] == 1925);
  BOOST_TEST(r["layer_groups"] == 16);
  const double tile = 2 * 1925.0 * 268435456 / 1e15;
  const double link = 1925.0 * 32768 / 5e11 + 1e-6;
  BOOST_TEST(r["step_time"] == (16 + 664) * tile + 15 * link, tt::tolerance(1e-12));
  BOOST_TEST(r["cache_fit"] == 600e6 / (536870912.0 + 1925 * 32768), tt::tolerance(1e-12));
}

/// Two layers fit together, without a smaller tile: 8 devices, of which each takes two.
BOOST_AUTO_TEST_CASE(layerwise_takes_the_fewest_devices) {
  const NamedEstimate r =
      layerwise_point().set("convention", "source").set("cache_capacity", 1.5e9).set("token_tile", 1000).evaluate();
  BOOST_TEST(r["layer_groups"] == 8);
  BOOST_TEST(r["token_tile_used"] == 1000);
  BOOST_TEST(r["devices_used"] == 8);
}

/// The same on all devices: 16 groups of a layer. The baseline has the same matrix in every layer, a column block on
/// each of 8 devices, in two stages of 8 layers.
BOOST_AUTO_TEST_CASE(layerwise_may_take_all_devices) {
  TaskGraphPoint point = layerwise_point();
  point.set("convention", "source").set("cache_capacity", 1.5e9).set("token_tile", 1000).set("placement", "fastest");
  const NamedEstimate r = point.evaluate();
  BOOST_TEST(r["layer_groups"] == 16);
  const double layer = 2 * 1.28e6 * 268435456 / 8 / 1e15;
  BOOST_TEST(r["baseline_time"] == 16 * layer + 41943040000.0 / 5e11 + 1e-6, tt::tolerance(1e-12));
}

/// Operands from DRAM, one tile of everything: 16 devices one after the other.
BOOST_AUTO_TEST_CASE(layerwise_from_dram_by_hand) {
  const NamedEstimate r = layerwise_point().set("convention", "source").set("spill", "stream").evaluate();
  const double compute = 2 * 1.28e6 * 268435456 / 1e15;
  const double link = 41943040000.0 / 5e11 + 1e-6;
  BOOST_TEST(r["step_time"] == 16 * compute + 15 * link, tt::tolerance(1e-12));
  BOOST_TEST(r["cache_fit"] < 1);
}

BOOST_AUTO_TEST_SUITE_END()
