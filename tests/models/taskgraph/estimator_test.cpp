/// The task-graph estimator: statuses, measured tables, monotony, and blocks that equal their points.
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
     "32 heads are not a multiple of tensor_parallel 64"},
    {"heads that cannot share those of keys", [](TaskGraphPoint& p) { p.set("key_value_heads", 7); }, "invalid",
     "32 heads cannot share 7 key-value heads"},
    {"a width that is not whole", [](TaskGraphPoint& p) { p.set("hidden", 4100).set_absent("head_dim"); }, "invalid",
     "hidden 4100 over 32 heads is not a whole head width: give head_dim"},
    {"a width that does not divide",
     [](TaskGraphPoint& p) { p.set("ffn_hidden", 16380).set("heads", 8).set("head_dim", 512); }, "invalid",
     "ffn_hidden 16380 is not a multiple of tensor_parallel 8"},
    {"the literal shapes do not ask",
     [](TaskGraphPoint& p) { p.set("tensor_parallel", 64).set("convention", "source"); }, "ok", ""},
    {"more stages than layers", [](TaskGraphPoint& p) { p.set("pipeline_parallel", 5); }, "invalid",
     "5 stages for 4 layers"},
    {"another number of devices", [](TaskGraphPoint& p) { p.set("device_count", 13); }, "invalid",
     "device_count is 13, the product of the degrees is 16"},
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
  BOOST_TEST(point.reason() == "the measured tables do not cover a product of the point");
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
    BOOST_TEST(invalid.problems[0].problem == "no memory bandwidth for 'bare'");
    BOOST_TEST(invalid.problems[1].problem == "no cache for 'bare'");
  }
}

BOOST_AUTO_TEST_SUITE_END()
