/// The closed form where prompts are longer than a chunk: cases computed by hand.
#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
