/// Simulated points of the profiled estimator: agreement with steady batches, traces, statuses, mixed sweeps.
#include "models/profiled/simulation/simulated_point.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/profiled/estimator.hpp"
#include "tests/support/profiled_sweep.hpp"

BOOST_AUTO_TEST_SUITE(simulated_point_test)

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

/// A few requests of 8 tokens and 4 output tokens, which meet measured rows; layers alone.
ProfiledSweep few_requests() {
  ProfiledSweep sweep;
  sweep.set("queueing", "simulated").set("head", "none").set("requests", 20).set("prompt_tokens", 8);
  sweep.set("output_tokens", 4).set("max_request_tokens", 64).set("arrival_rate", 0.01).set("arrivals", "uniform");
  return sweep;
}

const char* const trace_text = "arrived_at,num_prefill_tokens,num_decode_tokens\n1.5,8,4\n2.5,8,1\n700,20,2\n";

}  // namespace

BOOST_AUTO_TEST_CASE(requests_far_apart_take_their_own_steps) {
  ProfiledSweep sweep = few_requests();
  auto run = sweep.evaluate();
  BOOST_TEST(run["completed_requests"] == 20.0);
  BOOST_TEST(run["waiting_time"] == 0.0);
  BOOST_TEST(run["running_batch"] == 1.0);
  ProfiledSweep prompt;
  const double prompt_time = prompt.set("head", "none").set("prefill_chunk", 8).evaluate()["step_time"];
  BOOST_TEST(std::abs(run["time_to_first_token"] / prompt_time - 1.0) < 1e-9);
  double decodes = 0.0;
  for (const int context : {9, 10, 11}) {
    ProfiledSweep decode;
    decode.set("head", "none").set("decode_batch", 1).set("decode_context", context);
    decodes += decode.evaluate()["step_time"];
  }
  BOOST_TEST(std::abs(run["request_latency"] / (prompt_time + decodes) - 1.0) < 1e-9);
  BOOST_TEST(std::abs(run["time_per_output_token"] / (decodes / 4.0) - 1.0) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_trace_gives_the_requests) {
  ProfiledSweep sweep = few_requests();
  sweep.set_absent("arrival_rate").table("trace.csv", trace_text);
  auto run = sweep.evaluate();
  BOOST_TEST(run["completed_requests"] == 3.0);
  BOOST_TEST(run["makespan"] > 698.0);  // from 1.5 s to the end of the request that arrives at 700 s
  BOOST_TEST(run["makespan"] < 699.0);
  sweep.set("arrival_rate", 0.3);  // 3 requests in 10 s: the times are multiplied by 10 / 700
  BOOST_TEST(sweep.evaluate()["makespan"] < 10.1);
}

namespace {

struct BadTrace {
  const char* text;
  const char* why;
};
const BadTrace bad_traces[] = {
    {"arrival,prompt\n1,2\n", "a column is missing"},     {"arrival,prompt,output\n-1,2,3\n", "a negative time"},
    {"arrival,prompt,output\n1,2.5,3\n", "half a token"}, {"arrival,prompt,output\n1,2,0\n", "no output token"},
    {"arrival,prompt,output\n1,,3\n", "an empty cell"},   {"arrival,prompt,output\n", "no request"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(bad_traces_are_refused) {
  for (const BadTrace& bad : bad_traces) {
    ProfiledSweep sweep = few_requests();
    sweep.table("trace.csv", bad.text);
    BOOST_CHECK_EXCEPTION(static_cast<void>(sweep.evaluate()), InvalidValues, [&](const InvalidValues& error) {
      BOOST_TEST(error.data_problems.size() == 1, bad.why);
      return true;
    });
  }
}

namespace {

struct SimulatedStatus {
  const char* why;
  std::function<void(ProfiledSweep&)> change;
  const char* status;
};
const SimulatedStatus simulated_statuses[] = {
    {"as it is", [](ProfiledSweep&) {}, "ok"},
    {"every scheduler", [](ProfiledSweep& s) { s.set("scheduler", "sarathi"); }, "ok"},
    {"lightllm counts tokens", [](ProfiledSweep& s) { s.set("scheduler", "lightllm"); }, "ok"},
    {"lightllm has no stages", [](ProfiledSweep& s) { s.set("scheduler", "lightllm").set("pipeline_parallel", 2); },
     "invalid"},
    {"no request for each stage", [](ProfiledSweep& s) { s.set("batch_limit", 1).set("pipeline_parallel", 2); },
     "invalid"},
    {"a prompt that never fits", [](ProfiledSweep& s) { s.set("cache_blocks", 1).set("prompt_tokens", 32); },
     "unfinished"},
    {"memory for nothing", [](ProfiledSweep& s) { s.set("memory_margin", 1); }, "out_of_memory"},
    {"a limit of time ends the run", [](ProfiledSweep& s) { s.set("time_limit", 1000); }, "ok"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(runs_without_a_result_have_a_status_and_a_reason) {
  for (const SimulatedStatus& expected : simulated_statuses) {
    ProfiledSweep sweep = few_requests();
    expected.change(sweep);
    BOOST_TEST(sweep.evaluate().status == expected.status, expected.why);
    BOOST_TEST(sweep.reason().empty() == (std::string(expected.status) == "ok"), expected.why);
  }
}

BOOST_AUTO_TEST_CASE(the_capacity_is_searched_where_a_limit_asks_for_it) {
  ProfiledSweep sweep = few_requests();
  BOOST_TEST(std::isnan(sweep.evaluate()["capacity"]));
  sweep.set("arrival_rate", 10).set("waiting_time_limit", 0.01).set("requests", 200).set("arrivals", "poisson");
  const double tight = sweep.evaluate()["capacity"];
  const double loose = sweep.set("waiting_time_limit", 0.1).evaluate()["capacity"];
  BOOST_TEST(tight > 0.0);
  BOOST_TEST(loose > tight);
}

BOOST_AUTO_TEST_CASE(mixed_sweeps_have_the_same_bits_in_any_block) {
  ProfiledSweep sweep = few_requests();
  sweep.set("decode_batch", 8).set("decode_context", 512).set("arrivals", "poisson");
  sweep.axis("arrival_rate", {1, 50, 400}).axis("replicas", {1, 2}).axis("seed", {1, 2});
  const SweepValues values = sweep.values();
  const std::unique_ptr<Estimator> estimator = profiled::make_profiled_estimator();
  const Estimates whole = sweep.estimates(*estimator->prepare(values), 100);
  const Estimates single = sweep.estimates(*estimator->prepare(values), 1);
  BOOST_TEST(whole.status == single.status, boost::test_tools::per_element());
  for (std::size_t m = 0; m < whole.metrics.size(); ++m)
    for (std::size_t i = 0; i < whole.metrics[m].size(); ++i) {
      const double a = whole.metrics[m][i];
      const double b = single.metrics[m][i];
      BOOST_TEST((a == b || (std::isnan(a) && std::isnan(b))), estimator->metrics()[m].name << " " << i);
    }
}

BOOST_AUTO_TEST_CASE(explanations_list_requests_and_batches) {
  const Explanation whole = few_requests().explain();
  BOOST_TEST_REQUIRE(whole.listings.size() == 2);
  BOOST_TEST(whole.listings[0].name == "requests");
  BOOST_TEST(whole.listings[0].table.rows.size() == 20);
  BOOST_TEST(whole.listings[1].name == "batches");
  BOOST_TEST(whole.listings[1].table.rows.size() == 80);  // a batch for each output token
  BOOST_TEST_REQUIRE(whole.timeline.has_value());
  BOOST_TEST(whole.timeline->lanes.size() == 21);  // a replica and 20 requests
}

BOOST_AUTO_TEST_SUITE_END()
