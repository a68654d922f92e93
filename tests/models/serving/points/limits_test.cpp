/// What bounds a point of serving: users, formats of the chip, links that are given, heads, drafts that do not draft.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(limits_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

testing::NamedEstimate with(const char* parameter, double value, double batch = 256) {
  return testing::serving_sweep().set("batch", batch).set(parameter, value).evaluate();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_given_batch_is_no_larger_than_its_users) {
  BOOST_TEST(with("concurrency", 16)["running_batch"] <= 16.0);  // of which some wait for their prompts
  BOOST_TEST(with("concurrency", 16)["running_batch"] > 14.0);
  BOOST_TEST(with("requests", 4)["running_batch"] == 4.0);
  BOOST_TEST(with("concurrency", 1000)["running_batch"] <= 256.0);
  BOOST_TEST(with("concurrency", 1000)["running_batch"] > 250.0);
  BOOST_TEST(with("time_per_output_token_limit", 1e-3).status == "latency_limit");
  BOOST_TEST(with("time_per_output_token_limit", 10).status == "ok");
}

// A chip without units for a format runs it in a wider one, at the share of the wider one.
BOOST_AUTO_TEST_CASE(formats_that_a_chip_has_not_are_no_slower_than_those_it_has) {
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("batch", 64.0).set("cache_precision", "bf16").set("weight_precision", "bf16");
  const double eight = s.set("precision", "fp8").evaluate()["prefill_rate"];
  const double four = s.set("precision", "fp4").evaluate()["prefill_rate"];
  BOOST_TEST(four == eight, tt::tolerance(1e-12));
  Entry old = testing::serving_node();
  old.numbers.erase("peak_flops_8bit");
  s.set("system", old);
  const double sixteen = s.set("precision", "bf16").evaluate()["prefill_rate"];
  BOOST_TEST(s.set("precision", "fp8").evaluate()["prefill_rate"] == sixteen, tt::tolerance(1e-12));
}

// The rates of other formats follow one that the sweep gives.
BOOST_AUTO_TEST_CASE(the_own_rate_of_a_format_changes_nothing) {
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("batch", 64.0).set("cache_precision", "bf16").set("prompt_tokens", 8000);
  for (const auto& [precision, rate] : {std::pair("bf16", 1e15), std::pair("fp8", 2e15)}) {
    const testing::NamedEstimate own = s.set_absent("peak_flops").set("precision", precision).evaluate();
    const testing::NamedEstimate same = s.set("peak_flops", rate).evaluate();
    const testing::NamedEstimate twice = s.set("peak_flops", 2 * rate).evaluate();
    for (const char* metric : {"time_to_first_token", "time_per_output_token", "prefill_rate", "system_cost"})
      BOOST_TEST(same[metric] == own[metric], precision << ", " << metric);
    BOOST_TEST(twice["prefill_rate"] > own["prefill_rate"]);
  }
}

BOOST_AUTO_TEST_CASE(a_link_that_is_given_alone_joins_nodes_too) {
  Entry device;
  device.numbers = {{"peak_flops", 1e15}, {"sram_capacity", 50e6}};
  Entry memory;
  memory.numbers = {{"bandwidth", 4e12}, {"capacity", 80e9}};
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set_absent("system").set("device", device).set("memory", memory).set("link_bandwidth", 400e9);
  s.set("tensor_parallel", 8).set("node_devices", 4).set("batch", 8);
  const testing::NamedEstimate found = s.evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST((std::isfinite(found["time_to_first_token"]) && found["token_rate"] > 0.0));
}

// 8 heads of keys on three devices: the fullest has three of them, not 8/3.
BOOST_AUTO_TEST_CASE(the_fullest_device_counts) {
  Entry model = testing::serving_decoder("three", 30, 3072);  // 24 heads
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("model", model).set("batch", 1).set("tensor_parallel", 1);
  const double whole = s.evaluate()["cache_memory"];
  BOOST_TEST(s.set("tensor_parallel", 3).evaluate()["cache_memory"] == whole * 3 / 8, tt::tolerance(1e-12));
  BOOST_TEST(s.set("tensor_parallel", 8).evaluate()["cache_memory"] == whole / 8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(sequences_are_whole_where_devices_share_them) {
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("batch", 1).set("tensor_parallel", 8);
  const double alone = testing::serving_sweep().set("batch", 1).set("tensor_parallel", 1).evaluate()["cache_memory"];
  s.set("attention_parallel", "data");
  BOOST_TEST(s.evaluate()["cache_memory"] == alone, tt::tolerance(1e-12));
  BOOST_TEST(s.evaluate()["network_time"] == 0.0);  // without experts, a device has all weights and exchanges nothing
}

BOOST_AUTO_TEST_CASE(a_draft_that_does_not_draft_takes_no_memory) {
  testing::EstimatorSweep s = testing::serving_sweep();
  const double free = s.evaluate()["max_batch"];
  s.set("draft_model", testing::serving_decoder("draft", 8, 2048));
  BOOST_TEST(s.evaluate()["max_batch"] == free);
  BOOST_TEST(s.set("speculation", "sequence").evaluate()["max_batch"] < free);
}

// A batch of 256 of a model whose weights leave nearly nothing: what is short is counted with the share that caches may
// take where the batch is chosen, and with all memory where it is given.
BOOST_AUTO_TEST_CASE(the_shortfall_counts_the_share_of_caches) {
  testing::EstimatorSweep s = testing::serving_sweep();
  const testing::NamedEstimate free = s.set("batch", 1).evaluate();
  const double memory = free["memory_used"] - 0.25 * free["cache_memory"];
  s.set("dram_capacity", memory);
  const testing::NamedEstimate given = s.evaluate();
  BOOST_TEST(given.status == "out_of_memory");
  s.set("batch", "best").set("cache_share", 0.5);
  const testing::NamedEstimate chosen = s.evaluate();
  BOOST_TEST(chosen.status == "out_of_memory");
  BOOST_TEST(given["shortfall"] == free["memory_used"] / memory, tt::tolerance(1e-12));
  BOOST_TEST(chosen["shortfall"] == (free["memory_used"] + free["cache_memory"]) / memory, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_best_batch_is_told_where_it_is_chosen) {
  BOOST_TEST(std::isnan(with("requests", 4)["best_batch"]));
  BOOST_TEST(testing::serving_sweep().set("batch", "best").evaluate()["best_batch"] >= 1.0);
}

// 12 layers of a draft have no 16 stages.
BOOST_AUTO_TEST_CASE(a_draft_obeys_the_rules_of_degrees) {
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("pipeline_parallel", 16).set("speculation", "sequence");
  s.set("draft_model", testing::serving_decoder("draft", 12, 2048));
  BOOST_TEST(s.evaluate().status != "ok");
  BOOST_TEST(s.set("draft_model", testing::serving_decoder("draft", 16, 2048)).evaluate().status == "ok");
}

BOOST_AUTO_TEST_CASE(an_answer_of_one_token_comes_with_its_batch) {
  const testing::NamedEstimate found = with("output_tokens", 1, 64);
  BOOST_TEST(found["request_latency"] == 64 / found["request_rate"], tt::tolerance(1e-9));  // Little's law
  BOOST_TEST(found["request_latency"] == found["time_to_first_token"]);
}

BOOST_AUTO_TEST_CASE(arrivals_that_contradict_each_other_are_refused) {
  testing::EstimatorSweep s = testing::serving_sweep();
  s.set("load", 0.5).set("concurrency", 64);
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).size() == 1u);
  s.set_absent("concurrency");
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).empty());
  s.set("batching", "static").set("batch", 8);
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).size() == 1u);
  s.set("load", 1).set("concurrency", 8);  // a batch of 8 has all users
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).size() == 1u);
  s.set("concurrency", 4);  // they are the batch
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).empty());
  s.set_absent("concurrency");
  s.set("requests", 1e6);
  BOOST_TEST(testing::make_serving()->problems_of(s.values()).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
