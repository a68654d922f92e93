/// Average watts of batches and of simulated runs on a device with stated power.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/profiled_sweep.hpp"

BOOST_AUTO_TEST_SUITE(batch_watts_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

/// 8 requests behind 512 tokens each: every operator was measured.
ProfiledSweep batch() {
  ProfiledSweep sweep;
  sweep.set("decode_batch", 8).set("decode_context", 512).set("head", "none");
  return sweep;
}

}  // namespace

/// A device that draws 700 W at most, and a fifth of it while nothing runs.
BOOST_AUTO_TEST_CASE(watts_are_of_the_kernels_of_a_batch) {
  const auto estimate = [](double power) {
    return batch().set("device_price", 1e4).set("device_power", power).evaluate();
  };
  const NamedEstimate found = estimate(700);
  const double average = found["device_average_power"];
  BOOST_TEST((average > 0.2 * 700 && average < 700));
  BOOST_TEST(found["device_energy_per_token"] == average / found["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(found["energy_per_token"] == found["system_average_power"] / found["token_rate"], tt::tolerance(1e-12));
  BOOST_TEST(found["watts_source"] == 1);
  BOOST_TEST(estimate(1400)["device_average_power"] > average);
  // A fast device is measured at a smaller share of its rates.
  const double shares = batch().set("device_power", 700).set("peak_flops", 1e18).evaluate()["device_average_power"];
  BOOST_TEST(shares < average);
}

BOOST_AUTO_TEST_CASE(a_device_without_a_stated_rate_has_no_average) {
  Entry device = profiled_device("chip", 1e9);
  device.numbers.erase("peak_flops");
  const NamedEstimate found =
      batch().set("device", device).set("device_price", 1e4).set("device_power", 700).evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(std::isnan(found["device_average_power"]));
}

namespace {

/// One prompt of 16 tokens, whole pages, and its first output token: one batch.
ProfiledSweep run_of_one_batch() {
  ProfiledSweep sweep;
  sweep.set("queueing", "simulated").set("head", "none").set("requests", 1).set("prompt_tokens", 16);
  sweep.set("output_tokens", 1).set("max_request_tokens", 64).set("arrival_rate", 1).set("arrivals", "uniform");
  sweep.set("device_price", 1e4).set("device_power", 700);
  return sweep;
}

/// Of a device, without links and hosts: a fifth of its nameplate.
double idle_power(const NamedEstimate& found, double devices) {
  return 0.2 * found["system_power"] / devices;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_of_one_batch_draws_what_the_batch_draws) {
  const NamedEstimate run = run_of_one_batch().evaluate();
  ProfiledSweep steady;
  steady.set("head", "none").set("prefill_chunk", 16).set("device_price", 1e4).set("device_power", 700);
  const double average = steady.evaluate()["device_average_power"];
  BOOST_TEST(run["device_average_power"] == average, tt::tolerance(1e-9));
  BOOST_TEST(run["energy_per_token"] == run["system_average_power"] / run["token_rate"], tt::tolerance(1e-12));
}

// Runs of 20 requests, with 4 output tokens each.
BOOST_AUTO_TEST_CASE(runs_with_less_to_do_draw_less) {
  double last = run_of_one_batch().evaluate()["system_power"];
  for (const double rate : {1e6, 100.0, 1.0, 0.01, 1e-6}) {
    ProfiledSweep sweep = run_of_one_batch();
    sweep.set("requests", 20).set("prompt_tokens", 8).set("output_tokens", 4).set("arrival_rate", rate);
    const NamedEstimate found = sweep.evaluate();
    const double average = found["device_average_power"];
    BOOST_TEST_CONTEXT(rate << " requests/s") {
      BOOST_TEST(average <= last);
      BOOST_TEST(average >= idle_power(found, 1));
    }
    if (rate < 1e-5) BOOST_TEST(average == idle_power(found, 1), tt::tolerance(1e-6));
    last = average;
  }
}

BOOST_AUTO_TEST_CASE(a_second_replica_is_idle_while_the_first_works) {
  const double one = run_of_one_batch().evaluate()["device_average_power"];
  const NamedEstimate two = run_of_one_batch().set("replicas", 2).evaluate();
  BOOST_TEST(two["device_average_power"] == (one + idle_power(two, 2)) / 2, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
