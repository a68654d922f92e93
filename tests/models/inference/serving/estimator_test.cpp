/// The estimator: points by parameter names, their statuses, and laws that hold between points.
#include "models/inference/serving/estimator.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/inference/serving/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::EstimatorSweep;
using testing::NamedEstimate;

namespace {

Entry decoder(const char* name, double layers, double hidden) {
  Entry entry;
  entry.name = name;
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", layers}, {"hidden", hidden},     {"heads", hidden / 128},
                   {"head_dim", 128},  {"key_value_heads", 8}, {"ffn_hidden", 3.5 * hidden},
                   {"gated_ffn", 1},   {"vocabulary", 32000}};
  return entry;
}

Entry node(double bandwidth = 4e12) {
  Entry entry;
  entry.name = "node";
  entry.numbers = {{"peak_flops", 1e15},
                   {"peak_flops_8bit", 2e15},
                   {"memory_bandwidth", bandwidth},
                   {"memory_capacity", 80e9},
                   {"node_devices", 8},
                   {"node_bandwidth", 400e9},
                   {"node_latency", 1e-6},
                   {"network_bandwidth", 50e9},
                   {"network_latency", 5e-6},
                   {"power", 1000},
                   {"price", 30000}};
  return entry;
}

/// 32 layers of 4096 on two devices of a node.
EstimatorSweep sweep() {
  EstimatorSweep s(serving::make_serving_estimator);
  s.set("model", decoder("seven", 32, 4096)).set("system", node()).set("tensor_parallel", 2);
  s.set("prompt_tokens", 1000).set("output_tokens", 200);
  return s;
}

struct StatusCase {
  const char* why;
  const char* parameter;
  double value;
  const char* status;
};
const StatusCase status_cases[] = {
    {"as it is", "tensor_parallel", 2, "ok"},
    {"32 heads over three devices", "tensor_parallel", 3, "degrees_do_not_divide"},
    {"five devices are no whole replicas of two", "device_count", 5, "degrees_do_not_divide"},
    {"33 stages of 32 layers", "pipeline_parallel", 33, "too_many_stages"},
    {"a cache of two million tokens", "batch", 2000, "out_of_memory"},
    {"one prompt of ten million tokens", "prompt_tokens", 1e7, "out_of_memory"},
    {"an answer needs more than a microsecond for a token", "time_per_output_token_limit", 1e-6, "latency_limit"},
    {"less memory than weights", "dram_capacity", 5e9, "out_of_memory"},
};

/// A better machine, and what must not become worse.
struct BetterCase {
  const char* why;
  const char* parameter;
  double worse;
  double better;
};
const BetterCase better_cases[] = {
    {"memory bandwidth", "dram_bandwidth", 2e12, 4e12},
    {"arithmetic", "peak_flops", 5e14, 1e15},
    {"links", "link_bandwidth", 50e9, 400e9},
    {"latency of links", "link_latency", 1e-5, 1e-6},
};

const char* const times[] = {"time_to_first_token", "time_per_output_token", "request_latency"};

}  // namespace

BOOST_DATA_TEST_CASE(points_have_a_status, bdata::make(status_cases)) {
  BOOST_TEST(sweep().set(sample.parameter, sample.value).evaluate().status == sample.status);
}

BOOST_DATA_TEST_CASE(better_machines_are_never_slower, bdata::make(better_cases)) {
  for (const double batch : {1, 8, 64}) {
    const NamedEstimate worse = sweep().set("batch", batch).set(sample.parameter, sample.worse).evaluate();
    const NamedEstimate better = sweep().set("batch", batch).set(sample.parameter, sample.better).evaluate();
    for (const char* time : times) BOOST_TEST(better[time] <= worse[time]);
    BOOST_TEST(better["token_rate"] >= worse["token_rate"]);
  }
}

BOOST_AUTO_TEST_CASE(larger_memories_hold_more) {
  double last = 0;
  for (const double capacity : {20e9, 40e9, 80e9}) {
    const NamedEstimate found = sweep().set("dram_capacity", capacity).evaluate();
    BOOST_TEST(found["max_batch"] > last);
    BOOST_TEST(found["memory_used"] <= capacity);
    last = found["max_batch"];
  }
}

BOOST_AUTO_TEST_CASE(larger_batches_serve_more_and_each_slower) {
  NamedEstimate last = sweep().set("batch", 1).evaluate();
  for (const double batch : {2, 4, 8, 16, 32, 64}) {
    const NamedEstimate found = sweep().set("batch", batch).evaluate();
    BOOST_TEST(found["token_rate"] > last["token_rate"]);
    BOOST_TEST(found["time_per_output_token"] >= last["time_per_output_token"]);
    last = found;
  }
}

BOOST_AUTO_TEST_CASE(fewer_bits_are_faster_and_smaller) {
  const NamedEstimate sixteen = sweep().set("batch", 8).evaluate();
  const NamedEstimate weights = sweep().set("batch", 8).set("weight_precision", "int4").evaluate();
  const NamedEstimate all = sweep().set("batch", 8).set("precision", "fp8").evaluate();
  BOOST_TEST(weights["weight_memory"] < 0.4 * sixteen["weight_memory"]);
  BOOST_TEST(weights["time_per_output_token"] < sixteen["time_per_output_token"]);
  BOOST_TEST(all["cache_memory"] == 0.5 * sixteen["cache_memory"], tt::tolerance(1e-12));
  BOOST_TEST(all["time_to_first_token"] < sixteen["time_to_first_token"]);
}

BOOST_AUTO_TEST_CASE(figures_agree_with_one_another) {
  const NamedEstimate e = sweep().set("device_count", 8).set("device_hour_price", 3).set("batch", 16).evaluate();
  BOOST_TEST(e["token_rate"] == 200 * e["request_rate"], tt::tolerance(1e-12));
  BOOST_TEST(e["token_rate_per_device"] == e["token_rate"] / 8, tt::tolerance(1e-12));
  BOOST_TEST(e["token_rate_per_user"] * e["time_per_output_token"] == 1, tt::tolerance(1e-12));
  BOOST_TEST(e["request_latency"] == e["time_to_first_token"] + 199 * e["time_per_output_token"], tt::tolerance(1e-12));
  BOOST_TEST(e["system_power"] == 8000);
  BOOST_TEST(e["system_cost"] == 240000);
  BOOST_TEST(e["energy_per_token"] == 8000 / e["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(e["cost_per_million_tokens"] == 8 * 3 / 3600.0 / e["token_rate"] * 1e6, tt::tolerance(1e-12));
  const double buffers = 2.5e9 + 8.0 * 4096 * 8192;
  BOOST_TEST(e["memory_used"] == e["weight_memory"] + e["cache_memory"] + buffers, tt::tolerance(1e-12));
  // Keys and values of 8 heads of 128 in 32 layers, of 1200 tokens of 16 requests, halved over two devices.
  BOOST_TEST(e["cache_memory"] == 16 * 1200 * 2.0 * 8 * 128 * 32 * 2 / 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(replicas_multiply_rates_alone) {
  const NamedEstimate one = sweep().set("batch", 4).evaluate();
  const NamedEstimate four = sweep().set("batch", 4).set("device_count", 8).evaluate();
  BOOST_TEST(four["token_rate"] == 4 * one["token_rate"], tt::tolerance(1e-12));
  for (const char* time : times) BOOST_TEST(four[time] == one[time]);
}

BOOST_AUTO_TEST_CASE(a_batch_grows_until_memory_or_a_limit_binds) {
  const NamedEstimate memory = sweep().evaluate();
  BOOST_TEST(memory["best_batch"] == memory["max_batch"]);
  BOOST_TEST(sweep().set("batch_limit", 10).evaluate()["best_batch"] == 10);
  BOOST_TEST(sweep().set("concurrency", 7).evaluate()["best_batch"] == 7);
  BOOST_TEST(sweep().set("requests", 5).evaluate()["best_batch"] == 5);
  const double limit = 1.5 * sweep().set("batch", 1).evaluate()["time_per_output_token"];
  const NamedEstimate limited = sweep().set("time_per_output_token_limit", limit).evaluate();
  BOOST_TEST(limited["best_batch"] > 1);
  BOOST_TEST(limited["best_batch"] < memory["best_batch"]);
  BOOST_TEST(limited["time_per_output_token"] <= limit * (1 + 1e-9));
}

BOOST_AUTO_TEST_CASE(users_wait_where_there_is_no_place) {
  const NamedEstimate few = sweep().set("batch_limit", 16).set("concurrency", 16).evaluate();
  const NamedEstimate many = sweep().set("batch_limit", 16).set("concurrency", 160).evaluate();
  BOOST_TEST(many["token_rate"] == few["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(many["time_per_output_token"] == few["time_per_output_token"]);
  // Little's law: 160 users over the rate are in the system so long, less the time in which 16 are served.
  const double wait = (160 - 16) / many["request_rate"];
  BOOST_TEST(many["time_to_first_token"] - few["time_to_first_token"] == wait, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_finite_queue_is_never_faster_than_one_without_end) {
  const NamedEstimate endless = sweep().set("batch", 64).evaluate();
  double last = 0;
  for (const double requests : {64, 640, 64000}) {
    const NamedEstimate finite = sweep().set("batch", 64).set("requests", requests).evaluate();
    BOOST_TEST(finite["token_rate"] <= endless["token_rate"] * (1 + 1e-12));
    BOOST_TEST(finite["token_rate"] >= last * (1 - 1e-12));
    last = finite["token_rate"];
  }
}

BOOST_AUTO_TEST_CASE(shared_prompts_are_computed_and_kept_once) {
  const NamedEstimate apart = sweep().set("batch", 8).evaluate();
  const NamedEstimate shared = sweep().set("batch", 8).set("shared_prompt_tokens", 900).evaluate();
  BOOST_TEST(shared["cache_memory"] / apart["cache_memory"] == (900 + 8 * 300.0) / (8 * 1200), tt::tolerance(1e-12));
  BOOST_TEST(shared["time_to_first_token"] < 0.7 * apart["time_to_first_token"]);
  BOOST_TEST(shared["decode_rate"] == apart["decode_rate"], tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_says_how_far) {
  const NamedEstimate found = sweep().set("batch", 2000).evaluate();
  BOOST_TEST(found["shortfall"] == found["memory_used"] / 80e9, tt::tolerance(1e-12));
  BOOST_TEST(found["shortfall"] > 1);
  BOOST_TEST(found["token_rate"] > 0);
  BOOST_TEST(sweep().set("batch", 2000).reason().find("cache") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_part_of_the_load_is_a_smaller_batch) {
  const NamedEstimate full = sweep().evaluate();
  const NamedEstimate half = sweep().set("load", 0.5).evaluate();
  BOOST_TEST(half["request_rate"] == 0.5 * full["request_rate"], tt::tolerance(1e-6));
  BOOST_TEST(half["running_batch"] < 0.5 * full["running_batch"]);
  BOOST_TEST(half["time_per_output_token"] < full["time_per_output_token"]);
}

BOOST_AUTO_TEST_CASE(speculation_pays_where_drafts_are_right_and_cheap) {
  const auto with = [](double acceptance, double window) {
    return sweep()
        .set("batch", 1)
        .set("speculation", "sequence")
        .set("draft_model", decoder("small", 2, 1024))
        .set("acceptance", acceptance)
        .set("draft_window", window)
        .evaluate();
  };
  const NamedEstimate none = with(0.8, 0);
  BOOST_TEST(none["acceptance_length"] == 1);
  BOOST_TEST(none["draft_time"] == 0);
  BOOST_TEST(none["speedup"] == 1, tt::tolerance(1e-12));
  BOOST_TEST(with(0, 4)["speedup"] < 1);  // drafts are paid for and never used
  BOOST_TEST(with(0.9, 4)["speedup"] > 1);
  BOOST_TEST(with(0.9, 4)["speculative_rate"] ==
                 with(0.9, 4)["acceptance_length"] / (with(0.9, 4)["draft_time"] + with(0.9, 4)["verification_time"]),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_tree_drafts_more_and_yields_more) {
  const auto with = [](const char* form, double acceptance) {
    return sweep()
        .set("batch", 1)
        .set("speculation", form)
        .set("draft_model", decoder("small", 2, 1024))
        .set("acceptance", acceptance)
        .set("draft_window", 5)
        .evaluate();
  };
  BOOST_TEST(with("tree", 0.5)["acceptance_length"] > with("sequence", 0.5)["acceptance_length"]);
  BOOST_TEST(with("tree", 0.5)["verification_time"] > with("sequence", 0.5)["verification_time"]);
  BOOST_TEST(with("tree", 1)["acceptance_length"] == with("sequence", 1)["acceptance_length"]);
}

BOOST_AUTO_TEST_CASE(points_do_not_depend_on_their_neighbours) {
  // What neighbours share is kept from point to point: the same points one by one, and the other way round.
  EstimatorSweep users_last = sweep();
  users_last.set_absent("prompt_tokens").set_absent("tensor_parallel");
  users_last.axis("prompt_tokens", {500, 2000}).axis("tensor_parallel", {1, 4}).axis("concurrency", {1, 64, 4096});
  EstimatorSweep users_first = sweep();
  users_first.set_absent("prompt_tokens").set_absent("tensor_parallel");
  users_first.axis("concurrency", {1, 64, 4096}).axis("tensor_parallel", {1, 4}).axis("prompt_tokens", {500, 2000});
  const auto estimates = [](EstimatorSweep& s, std::size_t block) {
    const SweepValues values = s.values();
    const auto prepared = serving::make_serving_estimator()->prepare(values);
    return s.estimates(*prepared, block);
  };
  const testing::Estimates last = estimates(users_last, 12);
  const testing::Estimates single = estimates(users_last, 1);
  const testing::Estimates first = estimates(users_first, 5);
  for (const serving::Metric metric : all_of<serving::Metric>)
    for (std::size_t prompt = 0; prompt < 2; ++prompt)
      for (std::size_t tensor = 0; tensor < 2; ++tensor)
        for (std::size_t users = 0; users < 3; ++users) {
          const double a = last[metric][(prompt * 2 + tensor) * 3 + users];
          const double b = single[metric][(prompt * 2 + tensor) * 3 + users];
          const double c = first[metric][(users * 2 + tensor) * 2 + prompt];
          BOOST_TEST((std::isnan(a) ? std::isnan(b) && std::isnan(c) : a == b && a == c));
        }
}

BOOST_AUTO_TEST_CASE(a_device_a_memory_and_links_are_a_machine_too) {
  Entry device;
  device.name = "chip";
  device.numbers = {{"peak_flops", 1e15}, {"price", 1000}, {"power", 500}};
  Entry memory;
  memory.name = "dram";
  memory.numbers = {{"bandwidth", 4e12}, {"capacity", 80e9}};
  Entry links;
  links.name = "links";
  links.numbers = {{"bandwidth", 400e9}, {"latency", 1e-6}};
  EstimatorSweep s(serving::make_serving_estimator);
  s.set("model", decoder("seven", 32, 4096)).set("device", device).set("memory", memory).set("interconnect", links);
  s.set("tensor_parallel", 2).set("prompt_tokens", 1000).set("output_tokens", 200).set("batch", 8);
  BOOST_TEST(s.evaluate()["time_per_output_token"] == sweep().set("batch", 8).evaluate()["time_per_output_token"],
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_bandwidth_alone_is_a_memory_without_end) {
  Entry device;
  device.name = "chip";
  device.numbers = {{"peak_flops", 1e15}};
  EstimatorSweep s(serving::make_serving_estimator);
  s.set("model", decoder("seven", 32, 4096)).set("device", device).set("dram_bandwidth", 4e12).set("batch", 100000);
  const NamedEstimate found = s.evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(std::isnan(found["system_cost"]));
}

BOOST_AUTO_TEST_CASE(explanations_name_parts_that_add_up) {
  const Explanation all = sweep().set("batch", 8).explain();
  BOOST_TEST(all.sections.size() == 3u);
  const auto& rows = all.sections.back().table.rows;
  const double sum = std::get<double>(rows[0][1]) + std::get<double>(rows[1][1]) + std::get<double>(rows[2][1]);
  BOOST_TEST(sum == std::get<double>(rows[3][1]), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
