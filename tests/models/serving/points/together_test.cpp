/// Points that differ in the size of their traffic, or in their batch, alone are written several at once: each has the
/// status and the bits of all metrics that it has alone.
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

#include "models/serving/points/published.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(together_test)

using namespace dfsweep;
using testing::EstimatorSweep;

namespace {

const std::vector<double> users = {1, 2, 3, 4, 7, 8, 16, 33, 64, 100, 256, 1000, 5000};
const std::vector<double> batches = {1, 2, 3, 4, 7, 16, 33, 100, 256, 1000, 5000, 1e6};
const std::vector<double> shares = {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999999, 1};
const std::vector<double> rates = {0.01, 0.1, 1, 2, 5, 10, 20, 50, 100, 200, 1000};

/// Compares all points with each of them alone, and with one metric at a time.
void check(const EstimatorSweep& sweep) {
  const SweepValues values = sweep.values();
  const std::unique_ptr<PreparedSweep> prepared = testing::make_serving()->prepare(values);
  const testing::Estimates alone = sweep.estimates(*prepared, 1);
  const testing::Estimates together = sweep.estimates(*prepared, sweep.count());
  const testing::Estimates one_by_one = sweep.estimates_one_by_one(*prepared);
  BOOST_TEST((together.status == alone.status));
  BOOST_TEST((one_by_one.status == alone.status));
  for (std::size_t m = 0; m < alone.metrics.size(); ++m) {
    BOOST_TEST(testing::are_same(together.metrics[m], alone.metrics[m]), serving::metrics()[m].name);
    BOOST_TEST(testing::are_same(one_by_one.metrics[m], alone.metrics[m]), serving::metrics()[m].name);
  }
}

/// Lengths, limits and prices that points of the same deployment have beside their traffic.
EstimatorSweep with_lengths() {
  EstimatorSweep sweep = testing::serving_sweep();
  sweep.axis("prompt_tokens", {100, 20000}).axis("output_tokens", {1, 2, 500});
  return sweep;
}

}  // namespace

BOOST_AUTO_TEST_CASE(users_have_the_figures_that_they_have_alone) {
  check(with_lengths().axis("concurrency", users));
  // Limits that some break; prices; two replicas, of which the first has more users.
  check(with_lengths()
            .set("time_per_output_token_limit", 0.02)
            .set("time_to_first_token_limit", 0.5)
            .set("service_years", 3)
            .set("device_count", 4)
            .axis("concurrency", users));
  check(with_lengths().axis("batch", {0, 3, 1e6}).set("beams", 2).axis("concurrency", users));  // 1e6 do not fit
  check(with_lengths().set("requests", 50).axis("concurrency", users));  // more users send fewer requests each
  check(with_lengths().set("turns", 3).axis("concurrency", users));
}

BOOST_AUTO_TEST_CASE(streams_have_the_figures_that_they_have_alone) {
  check(with_lengths().axis("load", shares));         // without end from a load of 1 on
  check(with_lengths().axis("arrival_rate", rates));  // some are saturated
  check(with_lengths()
            .set("time_per_output_token_limit", 0.02)
            .set("time_to_first_token_limit", 0.5)
            .axis("arrival_rate", rates));
}

BOOST_AUTO_TEST_CASE(given_batches_have_the_figures_that_they_have_alone) {
  for (const char* batching : {"in_flight", "static"}) {
    const auto with_batching = [&] {
      EstimatorSweep sweep = with_lengths();
      sweep.set("batching", batching);
      return sweep;
    };
    check(with_batching().axis("batch", batches));
    // Limits that some break; prices; two replicas; beams; one phase alone.
    check(with_batching()
              .set("time_to_first_token_limit", 0.5)
              .set("service_years", 3)
              .set("device_count", 4)
              .axis("batch", batches));
    check(with_batching().set("time_per_output_token_limit", 0.02).axis("batch", batches));
    check(with_batching().set("beams", 2).set("phase", "prefill").axis("batch", batches));
    check(with_batching().set("device_count", 3).axis("batch", batches));  // no whole number of replicas
    check(with_batching().set("requests", 50).axis("batch", batches));     // a queue that ends
    check(with_batching()
              .set("speculation", "sequence")
              .set("draft_model", testing::serving_decoder("one", 8, 1024))
              .axis("batch", batches));
    // Users, and requests without end, with the same batches.
    check(with_batching().axis("concurrency", {0, 1, 20}).axis("batch", batches));
  }
  check(with_lengths().axis("load", {0.5, 1}).axis("batch", batches));
  check(with_lengths().axis("batch", batches).axis("load", {0.5, 1}));
}

BOOST_AUTO_TEST_CASE(speculation_and_stages_have_the_figures_that_they_have_alone) {
  const auto with_stages = [] {
    EstimatorSweep sweep = with_lengths();
    sweep.set("pipeline_parallel", 2).set("device_count", 8);
    return sweep;
  };
  check(with_stages().axis("concurrency", users));
  check(with_stages()
            .set("speculation", "sequence")
            .set("draft_model", testing::serving_decoder("one", 8, 1024))
            .axis("concurrency", users));
}

// Where a model does not fit, requests are one in each replica, whatever the traffic.
BOOST_AUTO_TEST_CASE(what_does_not_fit_has_the_figures_that_it_has_alone) {
  const auto too_large = [] {
    EstimatorSweep sweep = with_lengths();
    sweep.set("model", testing::serving_decoder("large", 90, 16384)).set("device_count", 8);
    return sweep;
  };
  check(too_large().axis("concurrency", users));
  check(too_large().axis("arrival_rate", rates));
  check(too_large().axis("load", shares));
}

BOOST_AUTO_TEST_SUITE_END()
