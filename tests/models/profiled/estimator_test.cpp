/// The profiled estimator: steps by hand, statuses, pipelines, what stands in for tables, and blocks that equal their
/// points.
#include "models/profiled/estimator.hpp"

#include <array>
#include <bit>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "tests/support/named_rows.hpp"
#include "tests/support/profiled_sweep.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::profiled;
using namespace dfsweep::testing;

namespace {

constexpr double ms = 1e-3;

/// 8 requests behind 512 tokens each: every operator was measured. Layers alone; the head is tested in head_test.cpp.
ProfiledSweep measured_batch() {
  ProfiledSweep sweep;
  sweep.set("decode_batch", 8).set("decode_context", 512).set("head", "none");
  return sweep;
}

// Of 8 tokens: pre 0.01, post 0.01, rope 0.01, norm 0.01 and decode 0.06; up 0.02, down 0.01, act 0.01, norm 0.01 and
// two additions of 0.01.
constexpr double attention_of_block = 0.10 * ms;
constexpr double mlp_of_block = 0.07 * ms;

/// The network of the sweep, measured with `device`.
Entry network_of(const std::string& device) {
  Entry network;
  network.name = "net";
  network.numbers = {{"devices_per_node", 4}};
  network.texts = {{"device", device}};
  return network;
}

/// The model of the sweep, each of whose tokens visits two of eight feed-forward networks.
Entry expert_model() {
  Entry model = profiled_model();
  model.numbers["experts"] = 8;
  model.numbers["experts_per_token"] = 2;
  return model;
}

struct StatusCase {
  const char* why;
  std::function<void(ProfiledSweep&)> change;
  const char* status;
};

const StatusCase status_cases[] = {
    {"as it is", [](ProfiledSweep&) {}, "ok"},
    {"the same as a list", [](ProfiledSweep& s) { s.set("decode_batch", 0).set("batch_requests", "8xd1@512"); }, "ok"},
    {"an empty batch", [](ProfiledSweep& s) { s.set("decode_batch", 0); }, "invalid"},
    {"a batch given twice", [](ProfiledSweep& s) { s.set("batch_requests", "d1@5"); }, "invalid"},
    {"more stages than layers", [](ProfiledSweep& s) { s.set("pipeline_parallel", 5); }, "invalid"},
    {"a stage that is not there", [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set("stage", 2); }, "invalid"},
    {"a degree that cuts heads", [](ProfiledSweep& s) { s.set("tensor_parallel", 3); }, "invalid"},
    {"stages of unequal length", [](ProfiledSweep& s) { s.set("pipeline_parallel", 3); }, "ok"},
    {"which the original does not know",
     [](ProfiledSweep& s) { s.set("pipeline_parallel", 3).set("convention", "vidur"); }, "invalid"},
    {"attention was not measured at that degree", [](ProfiledSweep& s) { s.set("tensor_parallel", 2); }, "no_profile"},
    {"another device", [](ProfiledSweep& s) { s.set("device", profiled_device("other", 1e9)); }, "no_profile"},
    {"other pages", [](ProfiledSweep& s) { s.set("block_size", 32); }, "no_profile"},
    {"no network for the pipeline", [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set_absent("network"); },
     "no_profile"},
    {"transfers between nodes were not measured",
     [](ProfiledSweep& s) {
       Entry single;
       single.name = "net";
       single.numbers = {{"devices_per_node", 1}};
       s.set("pipeline_parallel", 2).set("network", single);
     },
     "no_profile"},
    {"a network that was measured with another device",
     [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set("network", network_of("another chip")); }, "no_profile"},
    {"which stands in where that is allowed",
     [](ProfiledSweep& s) {
       s.set("pipeline_parallel", 2).set("network", network_of("another chip")).set("fallback", "analytical");
     },
     "ok"},
    {"one that was measured with this device",
     [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set("network", network_of("chip")); }, "ok"},
    {"a network that one chip does not use", [](ProfiledSweep& s) { s.set("network", network_of("another chip")); },
     "ok"},
    {"the nearest stands in for attention",
     [](ProfiledSweep& s) { s.set("tensor_parallel", 2).set("fallback", "analytical"); }, "ok"},
    {"no processor table", [](ProfiledSweep& s) { s.set("processor_overhead", "tables"); }, "no_profile"},
    {"experts, whose layers no table describes", [](ProfiledSweep& s) { s.set("model", expert_model()); },
     "no_profile"},
    {"nor does anything stand in for them",
     [](ProfiledSweep& s) { s.set("model", expert_model()).set("fallback", "analytical"); }, "no_profile"},
    {"little memory", [](ProfiledSweep& s) { s.set("dram_capacity", 1e8); }, "out_of_memory"},
    // 125.83 MB of weights and 8 * 528 tokens of 8 KiB are 160.43 MB, a single request of 4096 tokens makes 159.38 MB;
    // 159.75 MB may be used.
    {"weights, but not the cache", [](ProfiledSweep& s) { s.set("dram_capacity", 177.5e6); }, "out_of_memory"},
    {"the original asks for one request",
     [](ProfiledSweep& s) { s.set("dram_capacity", 177.5e6).set("convention", "vidur"); }, "ok"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_status_says_why_there_is_no_time, bdata::make(status_cases), c) {
  ProfiledSweep sweep = measured_batch();
  c.change(sweep);
  const auto results = sweep.evaluate();
  BOOST_TEST(results.status == c.status);
  BOOST_TEST(std::isnan(results["step_time"]) == (results.status != "ok"));
}

BOOST_AUTO_TEST_CASE(a_step_is_its_layers) {
  const auto r = measured_batch().evaluate();
  BOOST_TEST(r["attention_time"] == 4 * attention_of_block, tt::tolerance(1e-12));
  BOOST_TEST(r["mlp_time"] == 4 * mlp_of_block, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 4 * (attention_of_block + mlp_of_block), tt::tolerance(1e-12));
  BOOST_TEST(r["token_rate"] == 8 / r["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(r["attn_decode_time"] == 0.06 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["attn_prefill_time"] == 0.0);
  BOOST_TEST(r["mlp_up_proj_time"] == 0.02 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["coverage"] == 0.0);
  BOOST_TEST(std::isnan(r["all_reduce_time"]));
  // Weights: 1024 * 64 * (16 + 16 + 16) and 3 * 1024 * 4096 numbers in each of four layers; 528 tokens for 513.
  BOOST_TEST(r["memory_used"] == 2.0 * 4 * (1024 * 64 * 48 + 3 * 1024 * 4096) + 8.0 * 528 * 2 * 8 * 64 * 2 * 4);
  BOOST_TEST(r["max_batch"] == std::floor((0.9e9 - 125829120.0) / (4096 * 8192)));
}

BOOST_AUTO_TEST_CASE(stages_send_to_their_successors) {
  const auto stage = [](double s) {
    ProfiledSweep sweep = measured_batch();
    sweep.set("pipeline_parallel", 2).set("stage", s);
    return sweep.evaluate();
  };
  ProfiledSweep whole = measured_batch();
  const auto all = whole.set("pipeline_parallel", 2).evaluate();
  BOOST_TEST(stage(0)["pipeline_comm_time"] == 0.04 * ms, tt::tolerance(1e-12));
  BOOST_TEST(stage(0)["send_recv_time"] == 0.04 * ms, tt::tolerance(1e-12));
  BOOST_TEST(stage(1)["pipeline_comm_time"] == 0.0);
  BOOST_TEST(stage(1)["step_time"] == 2 * (attention_of_block + mlp_of_block), tt::tolerance(1e-12));
  BOOST_TEST(all["step_time"] == stage(0)["step_time"] + stage(1)["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(all["token_rate"] == 8 / stage(0)["step_time"], tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(layers_that_are_shared_are_summed_up_twice) {
  ProfiledSweep sweep = measured_batch();
  sweep.set("tensor_parallel", 2).set("fallback", "analytical").set("launch_overhead", 5e-6);
  const auto r = sweep.evaluate();
  BOOST_TEST(r["all_reduce_time"] == 0.03 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["tensor_comm_time"] == 4 * 2 * (0.03 * ms + 5e-6), tt::tolerance(1e-12));
  // Memory binds both rooflines: on two devices half of the caches and of the queries are read.
  BOOST_TEST(r["attn_decode_time"] == 0.03 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["coverage"] == 3.0);
  // Attention stands in from one device: 22 % of its time at least, and 42 % of all at most.
  BOOST_TEST(r["expected_error"] >= 0.22 * 4 * 0.03 * ms / r["step_time"]);
  BOOST_TEST(r["expected_error"] < 0.42);
}

namespace {

struct ReasonCase {
  const char* why;
  std::function<void(ProfiledSweep&)> change;
  const char* reason;  ///< its beginning
};

const ReasonCase reason_cases[] = {
    {"attention was not measured at that degree", [](ProfiledSweep& s) { s.set("tensor_parallel", 2); },
     "the tables of gpt on chip at tensor_parallel 2 lack attn_kv_cache_save, attn_decode"},
    {"no table of that degree", [](ProfiledSweep& s) { s.set("tensor_parallel", 8); },
     "no table of gpt on chip at tensor_parallel 8 (measured: 1, 2); network 'net' has no all-reduce of 8 devices in a "
     "node (measured: 2)"},
    {"another device", [](ProfiledSweep& s) { s.set("device", profiled_device("other", 1e9)); },
     "no table of gpt on other (measured on: chip)"},
    {"no network", [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set_absent("network"); },
     "the chips exchange data, but no network is given"},
    {"the network of another device",
     [](ProfiledSweep& s) { s.set("pipeline_parallel", 2).set("network", network_of("another chip")); },
     "network 'net' was measured with another chip, not with chip"},
    {"no processor table", [](ProfiledSweep& s) { s.set("processor_overhead", "tables"); },
     "no cpu_overheads.csv of gpt on chip at tensor_parallel 1"},
    {"experts", [](ProfiledSweep& s) { s.set("model", expert_model()); },
     "the model has experts, and tables have no columns of expert layers"},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_missing_is_named, bdata::make(reason_cases), c) {
  ProfiledSweep sweep = measured_batch();
  c.change(sweep);
  const Explanation explanation = sweep.explain();
  BOOST_REQUIRE(!explanation.facts.empty());
  BOOST_TEST(explanation.facts.front().label == "reason");
  BOOST_TEST(std::get<std::string>(explanation.facts.front().value).starts_with(c.reason),
             std::get<std::string>(explanation.facts.front().value));
}

BOOST_AUTO_TEST_CASE(operators_are_known_where_others_are_not) {
  ProfiledSweep sweep = measured_batch();
  const auto r = sweep.set("tensor_parallel", 2).evaluate();
  BOOST_TEST(r.status == "no_profile");
  BOOST_TEST(r["mlp_up_proj_time"] > 0.0);
  BOOST_TEST(r["all_reduce_time"] == 0.03 * ms, tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(r["attn_decode_time"]));
}

BOOST_AUTO_TEST_CASE(the_original_adds_a_share_for_several_requests) {
  ProfiledSweep sweep = measured_batch();
  const auto r = sweep.set("convention", "vidur").evaluate();
  BOOST_TEST(r["attn_decode_time"] == 1.1 * 0.06 * ms, tt::tolerance(1e-12));  // a table of one row, 8 of 16 heads
  BOOST_TEST(sweep.set("decode_batching_overhead", 0).evaluate()["attn_decode_time"] == 0.06 * ms,
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(coverage_is_the_weakest_of_all) {
  ProfiledSweep sweep;
  BOOST_TEST(sweep.set("batch_requests", "8xd1@512").evaluate()["coverage"] == 0.0);
  BOOST_TEST(sweep.set("batch_requests", "p128@256").evaluate()["coverage"] == 1.0);  // between 8 and 4096
  BOOST_TEST(sweep.set("batch_requests", "8xd1@900").evaluate()["coverage"] == 2.0);
}

BOOST_AUTO_TEST_CASE(blocks_equal_their_points_in_any_thread) {
  ProfiledSweep sweep;
  sweep.axis("decode_batch", {0, 1, 3, 8}).axis("decode_context", {1, 512, 700}).axis("prefill_chunk", {0, 64, 4000});
  sweep.axis("pipeline_parallel", {1, 2, 4, 5});
  const SweepValues values = sweep.values();
  const auto prepared = make_profiled_estimator()->prepare(values);
  Estimates other;
  std::thread thread([&] { other = sweep.estimates(*prepared, 5); });
  const Estimates whole = sweep.estimates(*prepared, sweep.count());
  thread.join();
  const Estimates single = sweep.estimates(*make_profiled_estimator()->prepare(values), 1);
  BOOST_TEST(whole.status == single.status);
  BOOST_TEST(whole.status == other.status);
  for (std::size_t m = 0; m < whole.metrics.size(); ++m)
    for (std::size_t i = 0; i < whole.status.size(); ++i)
      for (const Estimates* some : std::array{&std::as_const(single), &std::as_const(other)})
        BOOST_TEST(
            std::bit_cast<std::uint64_t>(some->metrics[m][i]) == std::bit_cast<std::uint64_t>(whole.metrics[m][i]),
            "metric " << m << " of point " << i);
}

/// The energy of a token needs the rate of tokens, also where that is not asked for.
BOOST_AUTO_TEST_CASE(a_metric_alone_has_the_values_that_it_has_beside_the_others) {
  ProfiledSweep sweep;
  sweep.axis("decode_batch", {0, 1, 8}).axis("prefill_chunk", {0, 64}).axis("pipeline_parallel", {1, 2, 5});
  sweep.set("device_price", 1e4).set("device_power", 700.0);
  const SweepValues values = sweep.values();
  const auto prepared = make_profiled_estimator()->prepare(values);
  BOOST_TEST_REQUIRE(prepared->leaves_out_unwanted());
  const Estimates all = sweep.estimates(*prepared, sweep.count());
  const Estimates alone = sweep.estimates_one_by_one(*prepared);
  BOOST_TEST(alone.status == all.status);
  for (std::size_t m = 0; m < all.metrics.size(); ++m)
    BOOST_TEST(are_same(alone.metrics[m], all.metrics[m]), make_profiled_estimator()->metrics()[m].name);
}

BOOST_AUTO_TEST_CASE(explanations_name_rows) {
  const Explanation all = measured_batch().explain();
  const auto section = [&all](std::string_view title) {
    for (const Explanation& s : all.sections)
      if (s.title == title) return s;
    throw std::runtime_error("no such section");
  };
  const auto rows = section("operators").table.rows;
  BOOST_REQUIRE(!rows.empty());
  BOOST_TEST(std::get<std::string>(rows.front().front()) == "attn_pre_proj");
  BOOST_TEST(std::get<std::string>(rows.front().back()) == "compute/chip/gpt/mlp.csv:3");  // its twin counts once
  BOOST_TEST(std::get<std::string>(rows.back().front()) == "attn_decode");
  BOOST_TEST(std::get<std::string>(rows.back().back()) == "compute/chip/gpt/attention.csv:2");
  ProfiledSweep twice = measured_batch();
  const Explanation invalid = twice.set("batch_requests", "d1@5").explain();
  BOOST_TEST(invalid.facts.front().label == "reason");
}

BOOST_AUTO_TEST_CASE(bad_values_are_reported_together) {
  ProfiledSweep sweep = measured_batch();
  Entry incomplete;
  incomplete.name = "half";
  incomplete.texts["kind"] = "transformer";
  incomplete.numbers = {{"layers", 2}, {"heads", 2}};
  Entry nameless;
  nameless.name = "wire";
  sweep.set("model", incomplete).set("network", nameless).set("batch_requests", "8xd1@");
  sweep.table("compute/chip/half/mlp.csv", "num_tokens\n8\n");
  const SweepValues values = sweep.values();
  try {
    (void)make_profiled_estimator()->prepare(values);
    BOOST_ERROR("accepted");
  } catch (const InvalidValues& invalid) {
    BOOST_REQUIRE(invalid.problems.size() == 3U);
    BOOST_TEST(invalid.problems[0].problem == "'hidden' is missing");
    BOOST_TEST(invalid.problems[1].problem == "'devices_per_node' is missing");
    BOOST_TEST(invalid.problems[2].problem == "item 1, '8xd1@', is not a request");
    BOOST_TEST(!invalid.data_problems.empty());
    for (const DataProblem& problem : invalid.data_problems) BOOST_TEST(problem.path == "compute/chip/half/mlp.csv");
  }
}

BOOST_AUTO_TEST_SUITE_END()
