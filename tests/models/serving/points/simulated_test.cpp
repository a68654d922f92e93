/// Simulated points: beside the closed form, streams without end, numbers of requests, limits of quantiles.
#include "models/serving/points/simulated.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(simulated_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::NamedEstimate;
using testing::serving_sweep;

BOOST_AUTO_TEST_CASE(a_simulation_agrees_with_the_closed_form) {
  for (const double users : {1, 8, 64}) {
    testing::EstimatorSweep sweep = serving_sweep();
    // Alike lengths would keep the users of a simulation in step.
    sweep.set("concurrency", users).set("prompt_spread", 0.5).set("output_spread", 0.5);
    const NamedEstimate steady = sweep.evaluate();
    const NamedEstimate simulated = sweep.set("queueing", "simulated").evaluate();
    BOOST_TEST(simulated["time_per_output_token"] == steady["time_per_output_token"], tt::tolerance(0.05));
    BOOST_TEST_CONTEXT(users << " users")
    BOOST_TEST(simulated["time_to_first_token"] == steady["time_to_first_token"], tt::tolerance(0.15));
    BOOST_TEST(simulated["time_to_first_token_p99"] >= simulated["time_to_first_token_p50"]);
    BOOST_TEST(std::isnan(steady["time_to_first_token_p99"]));
  }
}

// A stream goes on for ever: the requests that are simulated are a sample of it.
BOOST_AUTO_TEST_CASE(a_simulated_stream_is_answered_at_its_rate_or_saturates) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("prompt_spread", 0.2).set("queueing", "simulated");
  const double highest = sweep.set("arrival_rate", 1).evaluate()["capacity"];
  for (const double share : {0.01, 0.5, 0.99}) {
    const NamedEstimate at = sweep.set("arrival_rate", share * highest).evaluate();
    BOOST_TEST(at.status == "ok");
    BOOST_TEST(at["request_rate"] == share * highest);
    BOOST_TEST(at["goodput"] == at["request_rate"]);  // without limits
    BOOST_TEST(at["users"] == at["request_rate"] * at["request_latency"], tt::tolerance(1e-12));
  }
  for (const double share : {1.0, 1.05, 100.0}) {
    const NamedEstimate at = sweep.set("arrival_rate", share * highest).evaluate();
    BOOST_TEST(at.status == "saturated");
    BOOST_TEST(at["capacity"] == highest);
  }
}

// A number of requests ends a run, whose rate is that of all of them until the last answer.
BOOST_AUTO_TEST_CASE(a_number_of_requests_comes_at_any_rate) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("prompt_spread", 0.2).set("queueing", "simulated").set("requests", 400);
  const double highest = sweep.set("arrival_rate", 1).evaluate()["capacity"];
  const NamedEstimate at_once = sweep.set("arrival_rate", 100 * highest).evaluate();
  BOOST_TEST(at_once.status == "ok");
  BOOST_TEST(at_once["request_rate"] < 1.05 * highest);  // the closed form's rate is not exact
  BOOST_TEST(at_once["time_to_first_token"] >
             10 * sweep.set("arrival_rate", 0.5 * highest).evaluate()["time_to_first_token"]);
}

// With limits of minutes, a few requests would keep them at any rate.
BOOST_AUTO_TEST_CASE(a_simulated_capacity_does_not_exceed_what_can_be_done) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("prompt_spread", 0.2).set("queueing", "simulated").set("arrival_rate", 1);
  const double highest = sweep.evaluate()["capacity"];
  const double within = sweep.set("time_to_first_token_limit", 600).evaluate()["capacity"];
  BOOST_TEST(within <= highest);
  BOOST_TEST(within >= 0.95 * highest);
}

BOOST_AUTO_TEST_CASE(a_quantile_of_a_limit_needs_a_simulation) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("arrival_rate", 2).set("time_to_first_token_limit", 1).set("limit_quantile", 0.99);
  BOOST_TEST(sweep.evaluate().status == "needs_simulation");
  BOOST_TEST(sweep.set("queueing", "simulated").evaluate().status == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
