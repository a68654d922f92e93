/// The task-graph estimator: the reference set-ups by hand, statuses, choices, and blocks that equal their points.
#include "models/taskgraph/estimator.hpp"

#include <bit>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <set>

#include "models/absent.hpp"
#include "models/taskgraph/points/published.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/profile_text.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

namespace {

constexpr double ms = 1e-3;

// The reference set-up by hand, at s = 1024 on 1 PFLOP/s, 4 TB/s, 500 GB/s and 1 us. A step has b s = 2^20 rows.
//
// sharded, TP 8. Queries, keys, values and output: 2^20 x 4096 x 512 are 2^42 FLOP, 4.398046511104 ms each (9.67 GB
// take 2.42 ms: the products compute).
constexpr double projection = 4.398046511104 * ms;
// Scores: 1024 sequences x 4 heads times 1024 x 128 x 1024 are 2^40 FLOP, 1.1 ms; of each head 2 x 2^17 + 2^20 numbers
// of 2 B, 10.737418240 GB in all, take 2.68435456 ms: memory decides. The weighted sum has the same sizes.
constexpr double scores = 2.68435456 * ms;
// Up and down: 2^20 x 4096 x 2048 are 2^44 FLOP.
constexpr double up = 17.592186044416 * ms;
// All-reduce of 2^20 x 4096 numbers of 2 B, 2^33 B: two passes of 7/8 over 500 GB/s, 30.064771072 ms, and 14 steps.
constexpr double all_reduce = 30.078771072 * ms;
// From stage to stage 2^33 B and one step.
constexpr double transfer = 17.180869184 * ms;

// source. 3 x (2^20, 512, 12288): 13.194139533312 ms each. Scores and sum (2^20, 4096, 1024): 2^43 FLOP each. Output
// (2^20, 512, 4096): 2^42. Up and down (2^20, 512, 2048): 2^41 each. No exchange.
constexpr double source_attention = (3 * 13.194139533312 + 2 * 8.796093022208 + 4.398046511104) * ms;
constexpr double source_ffn = 2 * 2.199023255552 * ms;

// Pool of 5, sharded: blocks of ceil(1024/5) = 205 tokens. Four projections of 1024 x 205 rows, 4096 x 4096 numbers:
// 7.04374636544 ms each. Scores: 1024 x 32 times (205, 128, 1024): 367 232 numbers each, 24.066916352 GB, 6.016729088
// ms, twice.
constexpr double pool_attention = (4 * 7.04374636544 + 2 * 6.016729088) * ms;
// Keys and values of all tokens, 2^34 B: one pass of 4/5 over 500 GB/s and 4 steps.
constexpr double pool_gather = 27.4917906944 * ms;
// 2^33 B over 5 links and one step.
constexpr double pool_transfer = 3.4369738368 * ms;

struct StatusCase {
  const char* why;
  std::function<void(TaskGraphPoint&)> change;
  const char* status;
  const char* reason;
};

const StatusCase status_cases[] = {
    {"as it is", [](TaskGraphPoint&) {}, "ok", ""},
    {"micro-batches that do not divide", [](TaskGraphPoint& p) { p.set("micro_batches", 3); }, "invalid",
     "3 micro-batches do not divide a batch of 1024"},
    {"heads that do not divide", [](TaskGraphPoint& p) { p.set("tensor_parallel", 64); }, "invalid",
     "32 heads are no multiple of tensor_parallel 64"},
    {"a width that does not divide",
     [](TaskGraphPoint& p) { p.set("ffn_hidden", 16380).set("heads", 8).set("head_dim", 512); }, "invalid",
     "ffn_hidden 16380 is no multiple of tensor_parallel 8"},
    {"the literal shapes do not ask",
     [](TaskGraphPoint& p) { p.set("tensor_parallel", 64).set("convention", "source"); }, "ok", ""},
    {"more stages than layers", [](TaskGraphPoint& p) { p.set("pipeline_parallel", 5); }, "invalid",
     "5 stages for 4 layers"},
    {"another number of devices", [](TaskGraphPoint& p) { p.set("device_count", 13); }, "invalid",
     "device_count is 13, the degrees make 16"},
    {"which is that of the pool",
     [](TaskGraphPoint& p) { p.set("device_count", 13).set("strategy", "attention_pool"); }, "ok", ""},
    {"no device left for a pool",
     [](TaskGraphPoint& p) { p.set("device_count", 8).set("strategy", "attention_pool").set("pool_devices", "best"); },
     "invalid", "no device of 8 is left for the pool"},
    {"layers too large for the cache", [](TaskGraphPoint& p) { p.set("strategy", "layerwise"); }, "out_of_cache",
     "with tiles of one token the fullest of 16 devices needs 419.5 MB of 50 MB of cache"},
    {"which may come from DRAM", [](TaskGraphPoint& p) { p.set("strategy", "layerwise").set("spill", "stream"); }, "ok",
     ""},
};

}  // namespace

BOOST_AUTO_TEST_CASE(tables_obey_the_seam) {
  const auto estimator = make_taskgraph_estimator();
  std::set<std::string_view> names;
  for (const ParameterInfo& info : estimator->parameters()) {
    BOOST_TEST_CONTEXT(info.name) {
      BOOST_TEST(names.insert(info.name).second);
      BOOST_TEST(!info.meaning.empty());
      BOOST_TEST((info.absence == Absence::required) == info.fallback.empty());
    }
  }
  for (const MetricInfo& info : estimator->metrics()) BOOST_TEST(!info.meaning.empty());
}

BOOST_DATA_TEST_CASE(statuses, bdata::make(status_cases), c) {
  TaskGraphPoint point = reference_point();
  c.change(point);
  const NamedEstimate result = point.evaluate();
  BOOST_TEST(result.status == c.status);
  BOOST_TEST(std::isnan(result["step_time"]) == (result.status != "ok"));
  BOOST_TEST(point.reason() == c.reason);
}

BOOST_AUTO_TEST_CASE(tensor_pipeline_by_hand) {
  const NamedEstimate r = reference_point().evaluate();
  BOOST_TEST(r["attention_time"] == 4 * (4 * projection + 2 * scores), tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * 2 * up, tt::tolerance(1e-12));
  BOOST_TEST(r["communication_time"] == 8 * all_reduce + transfer, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 490.392106772992 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["critical_path"] == r["step_time"]);  // one micro-batch: a chain
  BOOST_TEST(r["token_rate"] == 1024 * 1024 / r["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(r["devices_used"] == 16);
  BOOST_TEST(r["speedup"] == 1);
  BOOST_TEST(r["busy_fraction"] == (r["step_time"] - transfer) / 2 / r["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(r["time_per_output_token"]));  // of phase decode
}

BOOST_AUTO_TEST_CASE(tensor_pipeline_of_the_source_by_hand) {
  const NamedEstimate r = reference_point().set("convention", "source").evaluate();
  BOOST_TEST(r["attention_time"] == 4 * source_attention, tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * source_ffn, tt::tolerance(1e-12));
  BOOST_TEST(r["communication_time"] == transfer, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 281.06365985024 * ms, tt::tolerance(1e-12));
}

/// Stages of two layers: two micro-batches overlap but for the first and the last stage. Half a batch takes half the
/// time, but for latencies.
BOOST_AUTO_TEST_CASE(micro_batches_fill_the_pipeline) {
  const NamedEstimate r = reference_point().set("micro_batches", 2).evaluate();
  const double half_layer = (4 * projection + 2 * scores + 2 * up + 2 * (all_reduce - 14e-6)) / 2 + 2 * 14e-6;
  const double half_transfer = (transfer - 1e-6) / 2 + 1e-6;
  BOOST_TEST(r["step_time"] == 3 * 2 * half_layer + half_transfer, tt::tolerance(1e-4));  // weights are read twice
}

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

BOOST_AUTO_TEST_CASE(decode_has_a_time_per_output_token) {
  const NamedEstimate r = reference_point().set("phase", "decode").evaluate();
  BOOST_TEST(r["time_per_output_token"] == r["step_time"]);
  BOOST_TEST(r["token_rate"] == 1024 / r["step_time"], tt::tolerance(1e-12));
}

/// Built-in strategies are closed forms that grow with every rate's inverse.
BOOST_AUTO_TEST_CASE(more_bandwidth_is_never_slower) {
  for (const char* strategy : {"tensor_pipeline", "attention_pool", "layerwise"})
    for (const char* rate : {"dram_bandwidth", "link_bandwidth", "peak_flops"})
      for (const double micro_batches : {1.0, 4.0, 64.0}) {
        double before = 1e30;
        for (const double value : {1e10, 1e11, 1e12, 1e13, 1e14}) {
          TaskGraphPoint point = reference_point();
          point.set("strategy", strategy).set("spill", "stream").set("micro_batches", micro_batches);
          const NamedEstimate r = point.set(rate, value).evaluate();
          BOOST_TEST_REQUIRE(r.status == "ok");
          BOOST_TEST_REQUIRE(r["step_time"] <= before);
          BOOST_TEST_REQUIRE(r["critical_path"] <= r["step_time"] * (1 + 1e-12));
          before = r["step_time"];
        }
      }
}

BOOST_AUTO_TEST_CASE(parts_add_up_to_the_step) {
  for (const char* strategy : {"tensor_pipeline", "attention_pool", "layerwise"})
    for (const double micro_batches : {1.0, 4.0, 64.0}) {
      TaskGraphPoint point = reference_point();
      point.set("strategy", strategy).set("spill", "stream").set("micro_batches", micro_batches);
      const NamedEstimate r = point.evaluate();
      BOOST_TEST(r["attention_time"] + r["ffn_time"] + r["communication_time"] + r["other_time"] == r["step_time"],
                 tt::tolerance(1e-12));
    }
}

namespace {

/// A layer as the small tables have it: hidden 1024, 16 heads, 8 of keys and values, a gated FFN of 4096, on "chip".
TaskGraphPoint measured_point() {
  Entry model;
  model.name = "gpt";
  model.numbers = {{"layers", 4},          {"hidden", 1024},   {"heads", 16},       {"head_dim", 64},
                   {"key_value_heads", 8}, {"gated_ffn", 1.0}, {"ffn_hidden", 4096}};
  TaskGraphPoint point;
  point.set("model", model).table("compute/chip/gpt/mlp.csv", small_layer_text());
  point.table("compute/chip/gpt/attention.csv", small_attention_text());
  return point;
}

}  // namespace

/// 8 requests behind 511 tokens decode: projections of 8 tokens 0.01 and 0.01 ms, attention of 512 tokens in the cache,
/// up 0.02, down 0.01.
BOOST_AUTO_TEST_CASE(times_come_from_measured_tables) {
  TaskGraphPoint point = measured_point();
  point.set("phase", "decode").set("batch", 8).set("sequence_length", 513);
  const NamedEstimate r = point.evaluate();
  BOOST_TEST(r.status == "ok");
  BOOST_TEST(r["coverage"] == 0);
  BOOST_TEST(r["attention_time"] == 4 * (0.01 + 0.06 + 0.01) * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * (0.02 + 0.01) * ms, tt::tolerance(1e-12));
}

/// Two prompts of 128 tokens behind nothing: attention lies outside the measured chunk.
BOOST_AUTO_TEST_CASE(what_tables_do_not_know) {
  TaskGraphPoint point = measured_point();
  point.set("batch", 2).set("sequence_length", 128);
  BOOST_TEST(point.evaluate()["coverage"] == 2);
  BOOST_TEST(point.set("tensor_parallel", 4).evaluate().status == "no_profile");
  BOOST_TEST(point.reason() == "the measured tables do not know a product of the point");
  const NamedEstimate by_roofline = point.set("fallback", "analytical").evaluate();
  BOOST_TEST(by_roofline.status == "ok");
  BOOST_TEST(by_roofline["coverage"] == 3);
  BOOST_TEST(measured_point().set("precision", "fp8").evaluate().status == "no_profile");
}

BOOST_AUTO_TEST_CASE(blocks_equal_their_points) {
  TaskGraphPoint sweep = reference_point();
  sweep.set("strategy", "attention_pool");
  sweep.axis("pool_devices", {1, 5, 8}).axis("sequence_length", {1, 1000, 4096}).axis("micro_batches", {1, 3, 8});
  const SweepValues values = sweep.values();
  const auto prepared = make_taskgraph_estimator()->prepare(values);
  const Estimates together = sweep.estimates(*prepared, 27);
  const Estimates apart = sweep.estimates(*make_taskgraph_estimator()->prepare(values), 1);
  BOOST_TEST(together.status == apart.status);
  for (std::size_t m = 0; m < together.metrics.size(); ++m)
    for (std::size_t i = 0; i < together.status.size(); ++i)
      BOOST_TEST(std::bit_cast<std::uint64_t>(together.metrics[m][i]) ==
                 std::bit_cast<std::uint64_t>(apart.metrics[m][i]));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_reported_together) {
  Entry bare;
  bare.name = "bare";
  bare.numbers = {{"peak_flops", 1e15}};
  TaskGraphPoint point = layerwise_point();
  point.set("device", bare);
  const SweepValues values = point.values();
  try {
    static_cast<void>(make_taskgraph_estimator()->prepare(values));
    BOOST_FAIL("nothing was reported");
  } catch (const InvalidValues& invalid) {
    BOOST_TEST_REQUIRE(invalid.problems.size() == 2U);
    BOOST_TEST(invalid.problems[0].problem == "no bandwidth of memory for 'bare'");
    BOOST_TEST(invalid.problems[1].problem == "no cache for 'bare'");
  }
}

BOOST_AUTO_TEST_SUITE_END()
