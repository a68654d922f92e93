/// The estimator: points by parameter names, their statuses, and laws that hold between points.

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/serving/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/profile_text.hpp"
#include "tests/support/profiled_sweep.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::EstimatorSweep;
using testing::NamedEstimate;
using testing::serving_decoder;
using testing::serving_sweep;

namespace {

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
  BOOST_TEST(serving_sweep().set(sample.parameter, sample.value).evaluate().status == sample.status);
}

BOOST_AUTO_TEST_CASE(a_model_needs_the_size_of_its_output_layer) {
  const auto without_vocabulary = [](const char* name) {
    Entry model = serving_decoder(name, 32, 4096);
    model.numbers.erase("vocabulary");
    return model;
  };
  const NamedEstimate target = serving_sweep().set("model", without_vocabulary("target")).evaluate();
  BOOST_TEST(target.status == "no_vocabulary");
  BOOST_TEST(std::isnan(target["time_per_output_token"]));
  EstimatorSweep drafted = serving_sweep();
  drafted.set("draft_model", without_vocabulary("draft"));
  BOOST_TEST(drafted.evaluate().status == "ok");  // it does not draft
  BOOST_TEST(drafted.set("speculation", "sequence").evaluate().status == "no_vocabulary");
}

BOOST_DATA_TEST_CASE(better_machines_are_never_slower, bdata::make(better_cases)) {
  for (const double batch : {1, 8, 64}) {
    const NamedEstimate worse = serving_sweep().set("batch", batch).set(sample.parameter, sample.worse).evaluate();
    const NamedEstimate better = serving_sweep().set("batch", batch).set(sample.parameter, sample.better).evaluate();
    for (const char* time : times) BOOST_TEST(better[time] <= worse[time]);
    BOOST_TEST(better["token_rate"] >= worse["token_rate"]);
  }
}

BOOST_AUTO_TEST_CASE(larger_memories_hold_more) {
  double last = 0;
  for (const double capacity : {20e9, 40e9, 80e9}) {
    const NamedEstimate found = serving_sweep().set("dram_capacity", capacity).evaluate();
    BOOST_TEST(found["max_batch"] > last);
    BOOST_TEST(found["memory_used"] <= capacity);
    last = found["max_batch"];
  }
}

BOOST_AUTO_TEST_CASE(larger_batches_serve_more_and_each_slower) {
  NamedEstimate last = serving_sweep().set("batch", 1).evaluate();
  for (const double batch : {2, 4, 8, 16, 32, 64}) {
    const NamedEstimate found = serving_sweep().set("batch", batch).evaluate();
    BOOST_TEST(found["token_rate"] > last["token_rate"]);
    BOOST_TEST(found["time_per_output_token"] >= last["time_per_output_token"]);
    last = found;
  }
}

BOOST_AUTO_TEST_CASE(fewer_bits_are_faster_and_smaller) {
  const NamedEstimate sixteen = serving_sweep().set("batch", 8).evaluate();
  const NamedEstimate weights = serving_sweep().set("batch", 8).set("weight_precision", "int4").evaluate();
  const NamedEstimate all = serving_sweep().set("batch", 8).set("precision", "fp8").evaluate();
  BOOST_TEST(weights["weight_memory"] < 0.4 * sixteen["weight_memory"]);
  BOOST_TEST(weights["time_per_output_token"] < sixteen["time_per_output_token"]);
  BOOST_TEST(all["cache_memory"] == 0.5 * sixteen["cache_memory"], tt::tolerance(1e-12));
  BOOST_TEST(all["time_to_first_token"] < sixteen["time_to_first_token"]);
}

BOOST_AUTO_TEST_CASE(figures_agree_with_one_another) {
  const NamedEstimate e =
      serving_sweep().set("device_count", 8).set("device_hour_price", 3).set("batch", 16).evaluate();
  BOOST_TEST(e["token_rate"] == 200 * e["request_rate"], tt::tolerance(1e-12));
  BOOST_TEST(e["token_rate_per_device"] == e["token_rate"] / 8, tt::tolerance(1e-12));
  BOOST_TEST(e["token_rate_per_user"] * e["time_per_output_token"] == 1, tt::tolerance(1e-12));
  BOOST_TEST(e["request_latency"] == e["time_to_first_token"] + 199 * e["time_per_output_token"], tt::tolerance(1e-12));
  BOOST_TEST(e["system_power"] == 8000);
  BOOST_TEST(e["system_cost"] == 240000);
  BOOST_TEST(e["energy_per_token"] == e["system_average_power"] / e["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(e["device_energy_per_token"] == 8 * e["device_average_power"] / e["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST((e["device_average_power"] > 0 && e["system_average_power"] <= 8000));
  BOOST_TEST(e["cost_per_million_tokens"] == 8 * 3 / 3600.0 / e["token_rate"] * 1e6, tt::tolerance(1e-12));
  const double buffers = 2.5e9 + 8.0 * 4096 * 8192;
  BOOST_TEST(e["memory_used"] == e["weight_memory"] + e["cache_memory"] + buffers, tt::tolerance(1e-12));
  // Keys and values of 8 heads of 128 in 32 layers, of 1200 tokens of 16 requests, halved over two devices.
  BOOST_TEST(e["cache_memory"] == 16 * 1200 * 2.0 * 8 * 128 * 32 * 2 / 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(replicas_multiply_rates_alone) {
  const NamedEstimate one = serving_sweep().set("batch", 4).evaluate();
  const NamedEstimate four = serving_sweep().set("batch", 4).set("device_count", 8).evaluate();
  BOOST_TEST(four["token_rate"] == 4 * one["token_rate"], tt::tolerance(1e-12));
  for (const char* time : times) BOOST_TEST(four[time] == one[time]);
}

BOOST_AUTO_TEST_CASE(points_do_not_depend_on_their_neighbours) {
  // What neighbours share is kept from point to point: the same points one by one, and the other way round.
  EstimatorSweep users_last = serving_sweep();
  users_last.set_absent("prompt_tokens").set_absent("tensor_parallel");
  users_last.axis("prompt_tokens", {500, 2000}).axis("tensor_parallel", {1, 4}).axis("concurrency", {1, 64, 4096});
  EstimatorSweep users_first = serving_sweep();
  users_first.set_absent("prompt_tokens").set_absent("tensor_parallel");
  users_first.axis("concurrency", {1, 64, 4096}).axis("tensor_parallel", {1, 4}).axis("prompt_tokens", {500, 2000});
  const auto estimates = [](EstimatorSweep& s, std::size_t block) {
    const SweepValues values = s.values();
    const auto prepared = testing::make_serving()->prepare(values);
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

// Each of four replicas has one request at most, as if it fitted.
BOOST_AUTO_TEST_CASE(requests_that_do_not_fit_are_one_in_each_replica) {
  EstimatorSweep sweep = serving_sweep();
  sweep.set("dram_capacity", 5e9).set("device_count", 8).axis("concurrency", {1, 3, 8, 24});
  const SweepValues values = sweep.values();
  const testing::Estimates found = sweep.estimates(*testing::make_serving()->prepare(values), 4);
  const double users[] = {1, 3, 4, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(found[serving::Metric::users][i] == users[i], tt::tolerance(1e-9));
    BOOST_TEST(found[serving::Metric::request_rate][i] == found[serving::Metric::request_rate][0] * users[i],
               tt::tolerance(1e-9));
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
  EstimatorSweep s(testing::make_serving);
  s.set("model", serving_decoder("seven", 32, 4096))
      .set("device", device)
      .set("memory", memory)
      .set("interconnect", links);
  s.set("tensor_parallel", 2).set("prompt_tokens", 1000).set("output_tokens", 200).set("batch", 8);
  BOOST_TEST(
      s.evaluate()["time_per_output_token"] == serving_sweep().set("batch", 8).evaluate()["time_per_output_token"],
      tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_bandwidth_alone_is_a_memory_without_end) {
  Entry device;
  device.name = "chip";
  device.numbers = {{"peak_flops", 1e15}};
  EstimatorSweep s(testing::make_serving);
  s.set("model", serving_decoder("seven", 32, 4096))
      .set("device", device)
      .set("dram_bandwidth", 4e12)
      .set("batch", 100000);
  const NamedEstimate found = s.evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(found["system_cost"] > 0);  // of the chip and the bandwidth: no capacity is known
  BOOST_TEST(found["price_source"] == 1);
}

BOOST_AUTO_TEST_CASE(price_power_and_limits_follow_the_machine) {
  const auto with = [](const char* name, double value) {
    return serving_sweep().set("batch", 8).set(name, value).evaluate();
  };
  const NamedEstimate as_it_is = with("device_hour_price", 3);
  BOOST_TEST(as_it_is["price_source"] == 0);
  for (const char* part : {"dram_bandwidth", "peak_flops", "dram_capacity"}) {
    const NamedEstimate more = with(part, part == std::string("dram_capacity") ? 1e12 : 1e16);
    BOOST_TEST(more["system_cost"] > as_it_is["system_cost"]);
    BOOST_TEST(more["system_power"] > as_it_is["system_power"]);
    BOOST_TEST(more["price_source"] == 1);
  }
  const NamedEstimate limited = with("power_limit", 300);
  BOOST_TEST(limited["device_average_power"] < as_it_is["device_average_power"]);
  BOOST_TEST(limited["time_to_first_token"] > as_it_is["time_to_first_token"]);
  BOOST_TEST(with("power_limit", 2).status == "power_limit_too_low");
  const NamedEstimate owned = with("service_years", 2);
  const double hours = 2 * 365.25 * 24;
  BOOST_TEST(owned["cost_of_ownership"] > owned["system_cost"]);
  BOOST_TEST(owned["cost_per_million_tokens"] == owned["cost_of_ownership"] / hours / 3600 / owned["token_rate"] * 1e6,
             tt::tolerance(1e-12));
  BOOST_TEST(owned["carbon"] > 0);
}

BOOST_AUTO_TEST_CASE(measured_tables_replace_rooflines) {
  EstimatorSweep s(testing::make_serving);
  Entry model = serving_decoder("small", 4, 1024);
  model.texts["profile"] = "small";
  model.numbers["heads"] = 16;
  model.numbers["head_dim"] = 64;
  model.numbers["ffn_hidden"] = 4096;
  model.numbers["vocabulary"] = 1000;
  Entry device = testing::profiled_device("chip", 80e9);
  s.set("model", model).set("device", device).set("dram_bandwidth", 1e12).set("dram_capacity", 80e9);
  s.set("prompt_tokens", 128).set("output_tokens", 16).set("batch", 8);
  const NamedEstimate roofline = s.evaluate();
  BOOST_TEST(roofline["time_source"] == 0);
  s.table("compute/chip/small/mlp.csv", small_layer_text());
  const NamedEstimate incomplete = s.evaluate();  // attention has no table
  BOOST_TEST(incomplete.status == "no_profile");
  BOOST_TEST(std::isnan(incomplete["token_rate"]));
  s.table("compute/chip/small/attention.csv", small_attention_text());
  const NamedEstimate profiled = s.evaluate();
  BOOST_TEST(profiled.status == "ok");
  BOOST_TEST(profiled["time_source"] == 1);
  BOOST_TEST(profiled["time_per_output_token"] != roofline["time_per_output_token"]);
  BOOST_TEST(profiled["memory_used"] == roofline["memory_used"]);
}

BOOST_AUTO_TEST_CASE(explanations_name_parts_that_add_up) {
  const Explanation all = serving_sweep().set("batch", 8).explain();
  BOOST_REQUIRE(all.sections.size() == 4u);
  BOOST_TEST(all.sections[3].title == "price and power of a device");
  const auto& rows = all.sections[2].table.rows;
  const double sum = std::get<double>(rows[0][1]) + std::get<double>(rows[1][1]) + std::get<double>(rows[2][1]);
  BOOST_TEST(sum == std::get<double>(rows[3][1]), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
