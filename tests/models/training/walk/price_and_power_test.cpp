/// Price, power, watts and ownership of training points.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/training/estimator.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(price_and_power_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::EstimatorSweep;
using testing::NamedEstimate;
using training::make_training_estimator;

namespace {

/// Sixteen devices of 30000 USD and 1000 W in two nodes train a model of seven billion parameters.
EstimatorSweep priced_sweep() {
  EstimatorSweep s(make_training_estimator);
  s.set("model", testing::serving_decoder("seven", 32, 4096)).set("sequence_length", 4096);
  s.set("system", testing::serving_node()).set("device_count", 16).set("tensor_parallel", 2);
  s.set("pipeline_parallel", 2).set("global_batch", 32).set("optimizer_sharding", 1).set("recompute", "full");
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(watts_follow_the_work) {
  const NamedEstimate found = priced_sweep().evaluate();
  BOOST_TEST(found["system_power"] == 16 * 1000);
  BOOST_TEST((found["device_average_power"] > 0 && found["device_average_power"] < 1000));
  BOOST_TEST(found["device_energy_per_token"] == 16 * found["device_average_power"] / found["token_rate"],
             tt::tolerance(1e-12));
  BOOST_TEST(found["energy_per_token"] == found["system_average_power"] / found["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(found["energy_per_token"] >= found["device_energy_per_token"]);
  BOOST_TEST(found["price_source"] == 0);
  BOOST_TEST(found["watts_source"] == 1);  // the entry has no idle_power
  BOOST_TEST(std::isnan(found["cost_of_ownership"]));
}

// W14: a faster memory is neither free nor without watts.
BOOST_AUTO_TEST_CASE(price_and_power_follow_the_parts) {
  const NamedEstimate slow = priced_sweep().set("dram_bandwidth", 2e12).evaluate();
  const NamedEstimate fast = priced_sweep().set("dram_bandwidth", 16e12).evaluate();
  for (const char* metric : {"system_cost", "system_power"}) {
    BOOST_TEST(slow[metric] < priced_sweep().evaluate()[metric]);
    BOOST_TEST(priced_sweep().evaluate()[metric] < fast[metric]);
    BOOST_TEST(priced_sweep().set("peak_flops", 2e15).evaluate()[metric] > priced_sweep().evaluate()[metric]);
    BOOST_TEST(priced_sweep().set("dram_capacity", 160e9).evaluate()[metric] > priced_sweep().evaluate()[metric]);
  }
  BOOST_TEST((fast["price_source"] == 1 && fast["power_source"] == 1));
  const NamedEstimate stated =
      priced_sweep().set("device_price", 1).set("memory_price", 2).set("link_price", 3).set("host_price", 4).evaluate();
  BOOST_TEST(stated["system_cost"] == 16 * 10);
  BOOST_TEST(stated["price_source"] == 0);
}

BOOST_AUTO_TEST_CASE(ownership_prices_a_device_hour) {
  EstimatorSweep owned = priced_sweep();
  owned.set("train_tokens", 1e12).set("service_years", 4);
  const NamedEstimate found = owned.evaluate();
  const double hours = 4 * 365.25 * 24;
  const double energy = 1.3 * found["system_average_power"] * hours * 3600;
  BOOST_TEST(found["cost_of_ownership"] == found["system_cost"] + 0.08 / 3.6e6 * energy, tt::tolerance(1e-12));
  BOOST_TEST(found["carbon"] == 0.4 / 3.6e6 * energy, tt::tolerance(1e-12));
  BOOST_TEST(found["train_cost"] == found["cost_of_ownership"] / hours * found["time_to_train"] / 3600,
             tt::tolerance(1e-12));
  BOOST_TEST(found["cost_per_million_tokens"] * 1e6 == found["train_cost"], tt::tolerance(1e-12));
  BOOST_TEST(owned.set("device_hour_price", 2).evaluate()["train_cost"] == 16 * 2 * found["time_to_train"] / 3600,
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_lower_limit_of_power_is_slower) {
  const NamedEstimate full = priced_sweep().evaluate();
  const NamedEstimate limited = priced_sweep().set("power_limit", 300).evaluate();
  BOOST_TEST(limited["step_time"] > full["step_time"]);
  BOOST_TEST(limited["device_average_power"] < full["device_average_power"]);
  BOOST_TEST(limited["device_average_power"] <= 300);
  BOOST_TEST(priced_sweep().set("power_limit", 1e6).evaluate()["step_time"] == full["step_time"]);
  BOOST_TEST(priced_sweep().set("power_limit", 10).evaluate().status == "power_limit_too_low");
}

// W15: one link is a seventh of what a device of eight with direct links has, and all of it at a switch.
BOOST_AUTO_TEST_CASE(a_link_is_one_of_a_device) {
  const auto step = [](const char* links, const char* bandwidth, double value) {
    return priced_sweep().set("node_links", links).set(bandwidth, value).evaluate()["step_time"];
  };
  BOOST_TEST(step("direct", "link_bandwidth", 400e9 / 7) == step("direct", "device_link_bandwidth", 400e9),
             tt::tolerance(1e-12));
  BOOST_TEST(step("switched", "link_bandwidth", 400e9) == step("switched", "device_link_bandwidth", 400e9));
  BOOST_TEST(step("direct", "link_bandwidth", 400e9) < step("direct", "device_link_bandwidth", 400e9));
}

BOOST_AUTO_TEST_SUITE_END()
