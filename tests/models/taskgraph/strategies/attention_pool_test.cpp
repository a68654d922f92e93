/// The reference set-up of an attention pool by hand, micro-batches, the best pool and its window.
#include "models/taskgraph/strategies/attention_pool.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(attention_pool_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr double ms = 1e-3;

// A step has b s = 2^20 rows, as in tensor_pipeline_test.cpp: up and down are 2^44 FLOP each, an all-reduce takes
// 30.064771072 ms and 14 steps.
constexpr double up = 17.592186044416 * ms;
constexpr double all_reduce = 30.078771072 * ms;
// Pool of 5, sharded: blocks of ceil(1024/5) = 205 tokens. Four projections of 1024 x 205 rows, 4096 x 4096 numbers:
// 7.04374636544 ms each. Scores: 1024 x 32 times (205, 128, 1024): 367 232 numbers each, 24.066916352 GB, 6.016729088
// ms, twice.
constexpr double pool_attention = (4 * 7.04374636544 + 2 * 6.016729088) * ms;
// Keys and values of all tokens, 2^34 B: one pass of 4/5 over 500 GB/s and 4 steps.
constexpr double pool_gather = 27.4917906944 * ms;
// 2^33 B over 5 links and one step.
constexpr double pool_transfer = 3.4369738368 * ms;

}  // namespace

BOOST_AUTO_TEST_CASE(attention_pool_by_hand) {
  const NamedEstimate r = reference_point().set("strategy", "attention_pool").evaluate();
  BOOST_TEST(r["attention_time"] == 4 * pool_attention, tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * 2 * up, tt::tolerance(1e-12));
  BOOST_TEST(r["communication_time"] == 4 * (pool_gather + 2 * pool_transfer + all_reduce), tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 559.349300666368 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["sequential_time"] == r["step_time"], tt::tolerance(1e-12));
  // The pool takes 67.7002343322 ms a layer, the base devices 65.263143160832 ms: the pool decides.
  BOOST_TEST(r["overlapped_time"] == 4 * (pool_attention + pool_gather + 2 * pool_transfer), tt::tolerance(1e-12));
  BOOST_TEST(r["devices_used"] == 13);
  BOOST_TEST(r["baseline_time"] == 490.392106772992 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["speedup_per_device"] == r["speedup"] * 16 / 13, tt::tolerance(1e-12));
}

/// Several micro-batches: between the sequential path and the time at which the slower side never rests.
BOOST_AUTO_TEST_CASE(micro_batches_overlap_pool_and_base) {
  double before = 1.0;
  for (const double micro_batches : {2.0, 4.0, 8.0, 16.0}) {
    const NamedEstimate r =
        reference_point().set("strategy", "attention_pool").set("micro_batches", micro_batches).evaluate();
    BOOST_TEST(r["step_time"] < r["sequential_time"]);
    BOOST_TEST(r["step_time"] > 4 * (pool_attention + pool_gather));
    BOOST_TEST(r["step_time"] < before);
    BOOST_TEST(r["critical_path"] < r["step_time"]);
    before = r["step_time"];
  }
}

BOOST_AUTO_TEST_CASE(the_best_pool_is_the_best_of_all) {
  for (const char* objective : {"step_time", "token_rate_per_device"}) {
    TaskGraphPoint point = reference_point();
    point.set("strategy", "attention_pool").set("micro_batches", 4).set("pool_objective", objective);
    const bool is_rate = std::string_view(objective) != "step_time";
    double best = 0.0;
    double least = 1e30;
    for (int pool = 1; pool <= 64; ++pool) {
      const NamedEstimate r = point.set("pool_devices", pool).evaluate();
      const double cost = is_rate ? r["step_time"] * r["devices_used"] : r["step_time"];
      if (!(cost < least)) continue;
      least = cost;
      best = pool;
    }
    const NamedEstimate chosen = point.set("pool_devices", "best").evaluate();
    BOOST_TEST(chosen["best_pool_devices"] == best);
    BOOST_TEST(chosen["devices_used"] == 8 + best);
  }
}

/// The pool is no slower in a window of lengths, and slower just before and after. Where sequences are long, 12 devices
/// share an attention that 16 share in the baseline.
BOOST_AUTO_TEST_CASE(the_crossover_is_where_the_pool_begins_to_win) {
  TaskGraphPoint point = reference_point();
  point.set("strategy", "attention_pool").set("pool_devices", 12).set("micro_batches", 4);
  const double crossover = point.evaluate()["crossover_length"];
  BOOST_TEST_REQUIRE(crossover > 1.0);
  BOOST_TEST(point.set("sequence_length", crossover).evaluate()["speedup"] >= 1.0);
  BOOST_TEST(point.set("sequence_length", crossover - 1).evaluate()["speedup"] < 1.0);
  BOOST_TEST(point.evaluate()["crossover_length"] == crossover);
  const double end = point.evaluate()["crossover_end"];
  BOOST_TEST_REQUIRE(end > crossover);
  BOOST_TEST(point.set("sequence_length", end).evaluate()["speedup"] >= 1.0);
  BOOST_TEST(point.set("sequence_length", end + 1).evaluate()["speedup"] < 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
