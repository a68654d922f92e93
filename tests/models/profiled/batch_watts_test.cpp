/// Average watts of batches on a device with stated power.
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

BOOST_AUTO_TEST_SUITE_END()
