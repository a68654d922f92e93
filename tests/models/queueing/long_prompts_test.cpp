/// The closed form where prompts are longer than a chunk: cases computed by hand.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "models/queueing/steady/steady.hpp"

BOOST_AUTO_TEST_SUITE(long_prompts_test)

using namespace dfsweep;
using namespace dfsweep::queueing;

/// 10 ms a step, 1 ms a token that is read, 2 ms a sequence that decodes.
struct EvenSteps {
  [[nodiscard]] static Seconds rank_time(const StepLoad& load) {
    return Seconds{1e-3 * load.prompt_tokens + 2e-3 * load.sequences};
  }
  [[nodiscard]] static Seconds step_time(Seconds slowest_rank, const StepLoad&) {
    return Seconds{10e-3} + slowest_rank;
  }
};

/// 50 tokens of prompt.
MeanRequest request_with(double output) {
  Workload workload;
  workload.prompt.mean = 50;
  workload.output.mean = output;
  return mean_request(workload);
}

SteadyLoad with_users(const Deployment& deployment, const MeanRequest& request, double users) {
  return steady(deployment, request, {DemandKind::users, users}, EvenSteps{});
}

BOOST_AUTO_TEST_CASE(ranks_stand_still_while_one_reads) {
  // Four ranks with a place each, steps that read or decode, prompts of 50 steps of 11 ms. Places become free one by
  // one, so that an answer of 400 steps of 12 ms is held up by three prompts, one after the other: 4.8 + 3 x 0.55 s,
  // and 0.55 s for the own prompt. The form counts who reads as missing from decode steps, which makes it 2 % quicker;
  // if prompts that come while one is read were read with it, it would be 6 %.
  Deployment deployment;
  deployment.rules.prompts = PromptRule::alone;
  deployment.rules.chunk_tokens = 1.0;
  deployment.rules.running_limit = 1.0;
  deployment.rules.lag_steps = 0.0;
  deployment.attention_ranks = 4;
  MeanRequest request = request_with(401);
  request.first_share = 0.0;
  const SteadyLoad load = with_users(deployment, request, 400);
  BOOST_CHECK_CLOSE(load.token_time.value(), (4.8 + 3 * 0.55) / 400, 3.0);
  BOOST_CHECK_CLOSE(load.request_rate, 4 / (4.8 + 4 * 0.55), 3.0);
}

BOOST_AUTO_TEST_CASE(a_prompt_that_is_enough_waits_for_no_others) {
  // 85 % of a chunk end the wait for others: 42.5 tokens of 50, which a prompt of 50 has; of 500, several are needed.
  Deployment deployment;
  deployment.rules.prompts = PromptRule::whole;
  const auto wait = [&](double chunk, double steps) {
    deployment.rules.chunk_tokens = chunk;
    deployment.rules.batch_wait_steps = steps;
    return with_users(deployment, request_with(401), 10).waiting_time.value();
  };
  BOOST_TEST(wait(50.0, 10.0) == wait(50.0, 0.0));
  BOOST_TEST(wait(500.0, 10.0) > wait(500.0, 0.0));
}

BOOST_AUTO_TEST_CASE(prompts_that_wait_for_places_gather_no_more) {
  // At the highest rate all places are taken, and a request starts as soon as one is free, however seldom the engine
  // looks for new ones.
  Deployment deployment;
  deployment.rules.prompts = PromptRule::alone;
  deployment.rules.running_limit = 8.0;
  deployment.attention_ranks = 4;
  const auto highest = [&](double interval) {
    deployment.rules.receive_interval_steps = interval;
    return steady(deployment, request_with(401), {DemandKind::share, 0.5}, EvenSteps{}).highest_rate;
  };
  BOOST_TEST(highest(10.0) == highest(1.0));
}

BOOST_AUTO_TEST_CASE(prompts_of_different_lengths_make_others_wait_longer) {
  // While one prompt of four ranks is read the others stand still, the longer the more their lengths differ.
  Deployment deployment;
  deployment.attention_ranks = 4;
  for (const PromptRule rule : {PromptRule::alone, PromptRule::whole}) {
    deployment.rules.prompts = rule;
    deployment.rules.chunk_tokens = 50.0;
    deployment.rules.running_limit = 8.0;
    MeanRequest request = request_with(11);
    const double alike = with_users(deployment, request, 400).request_rate;
    request.prompt_variance = 50.0 * 50.0;
    BOOST_TEST(with_users(deployment, request, 400).request_rate < 0.95 * alike);
  }
}

BOOST_AUTO_TEST_CASE(the_largest_of_normal_numbers_is_known) {
  // Means of the largest of n standard normal numbers, as tables of order statistics have them.
  constexpr double largest[][2] = {{1, 0.0}, {2, 0.5642}, {4, 1.0294}, {8, 1.4236}, {16, 1.7660}, {64, 2.3437}};
  for (const auto& [count, mean] : largest)
    BOOST_TEST(std::abs(std::sqrt(squared_excess_of_largest(count)) - mean) <= 0.03 * mean);
}

BOOST_AUTO_TEST_SUITE_END()
