/// Random points of `dataflow` with limits of power, failures and choices of the estimator. With DFSWEEP_LONG_TESTS=1
/// in the environment: a hundred times as many.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/random_values.hpp"

BOOST_AUTO_TEST_SUITE(limits_test)

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;

DataflowPoint limited_point(RandomValues& random) {
  DataflowPoint point = sixteen_chips();
  const double heads = std::exp2(random.whole(1, 16) - 1);
  point.set("model", transformer_entry(64 * heads, heads, random.whole(1, 12), random.whole(1, 2048), 64));
  point.set("device", device_entry(128, 16, 8, 1e9, 1e8, 1000, 300)).set("shape", "2x2x4");
  point.set("peak_flops", random.rate(1e11, 1e17)).set("dram_bandwidth", random.rate(1e10, 1e14));
  point.set("compute_utilization", random.one_of({0.0, 0.5, 1.0})).set("power_limit", random.rate(30, 3000));
  point.set("device_hours_per_interruption", random.rate(1e-4, 1e6)).set("train_tokens", random.rate(1e6, 1e13));
  point.set("mapping", random.one_of({"kernel_by_kernel", "single_partition"}));
  if (random.one_in(2)) point.set("micro_batch", "best");
  return point;
}

}  // namespace

// Whatever the status, metrics keep to their table, which the evaluation of a point checks.
BOOST_AUTO_TEST_CASE(figures_under_limits_are_believable) {
  const int count = std::getenv("DFSWEEP_LONG_TESTS") != nullptr ? 20000 : 200;
  std::map<std::string, int> statuses;
  for (int i = 0; i < count; ++i) {
    RandomValues random(static_cast<std::uint64_t>(i));
    const NamedEstimate found = limited_point(random).evaluate();
    ++statuses[found.status];
    if (found.status != "ok") continue;
    BOOST_TEST_CONTEXT("point " << i) {
      BOOST_TEST(found["utilization"] <= 1 + rounding);
      BOOST_TEST(found["system_average_power"] <= found["system_power"] * (1 + rounding));
      BOOST_TEST(std::isfinite(found["time_to_train"]));
    }
  }
  for (const char* status : {"ok", "power_limit_too_low", "never_completes"}) BOOST_TEST(statuses[status] > 0, status);
}

// In the cycle model another peak is another clock, also where the mapping is searched: twice the peak without waiting
// for memories or links is half of the time.
BOOST_AUTO_TEST_CASE(the_clock_of_cores_follows_the_peak) {
  for (const char* mapping : {"kernel_by_kernel", "best"}) {
    DataflowPoint point = sixteen_chips();
    point.set("model", transformer_entry(1024, 8, 4, 128, 32)).set("phase", "prefill").set("shape", "2x2x4");
    point.set("device", device_entry(128, 16, 8, 1e9, 1e8, 1000, 300)).set("mapping", std::string_view(mapping));
    point.set("compute_utilization", 0).set("dram_bandwidth", 1e18).set("link_bandwidth", 1e18).set("link_latency", 0);
    const NamedEstimate slow = point.set("peak_flops", 1e13).evaluate();
    const NamedEstimate fast = point.set("peak_flops", 2e13).evaluate();
    BOOST_TEST_CONTEXT(mapping) {
      BOOST_TEST((slow.status == "ok" && fast.status == "ok"));
      BOOST_TEST(fast["step_time"] == slow["step_time"] / 2, boost::test_tools::tolerance(1e-3));
      BOOST_TEST(slow["utilization"] <= 1 + rounding);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
