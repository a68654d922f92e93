/// Small simulated cases whose times are computed by hand: one user, rules of engines, turns, second tiers, pools.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

#include "models/queueing/simulation/simulate.hpp"

BOOST_AUTO_TEST_SUITE(cases_test)

using namespace dfsweep;
using namespace dfsweep::queueing;

/// 10 ms a step, 1 ms a token that is read, 2 ms a sequence that decodes, 1 us a token of its context.
struct RoundSteps {
  double context = 0.0;
  [[nodiscard]] Seconds rank_time(const StepLoad& load) const {
    return Seconds{1e-3 * load.prompt_tokens + 2e-3 * load.sequences + context * load.context};
  }
  [[nodiscard]] static Seconds step_time(Seconds slowest_rank, const StepLoad&) {
    return Seconds{10e-3} + slowest_rank;
  }
};

Workload constant_workload(double users, double requests, double prompt, double output) {
  Workload workload;
  workload.prompt.mean = prompt;
  workload.output.mean = output;
  workload.arrivals.users = users;
  workload.arrivals.requests_per_user = requests;
  return workload;
}

std::vector<RequestRecord> records_of(const Deployment& deployment, const Workload& workload, const RoundSteps& steps) {
  std::vector<RequestRecord> records;
  (void)simulate(deployment, workload, steps, [&](const RequestRecord& record) { records.push_back(record); });
  return records;
}

BOOST_AUTO_TEST_CASE(one_user) {
  // Sent at 0; 2 ms of front, half of 20 ms, 50 tokens of 0.1 ms: received at 17 ms. The prompt takes 10 + 50 ms: 77
  // ms. The first token comes half a decode step (6 ms of 12) and half of 20 ms later: 93 ms. Four decode steps of 12
  // ms end at 125 ms, at the client at 135 ms; the next request is sent 5 ms later.
  Deployment deployment;
  deployment.client = {Seconds{20e-3}, Seconds{0.1e-3}, Seconds{2e-3}};
  Workload workload = constant_workload(1, 2, 50, 5);
  workload.think = Seconds{5e-3};
  const auto records = records_of(deployment, workload, {});
  BOOST_REQUIRE(records.size() == 2u);
  BOOST_CHECK_CLOSE(records[0].received, 0.017, 1e-9);
  BOOST_CHECK_CLOSE(records[0].started, 0.017, 1e-9);
  BOOST_CHECK_CLOSE(records[0].first_token, 0.093, 1e-9);
  BOOST_CHECK_CLOSE(records[0].finished, 0.135, 1e-9);
  BOOST_CHECK_CLOSE(records[1].sent, 0.140, 1e-9);
  BOOST_CHECK_CLOSE(records[1].finished, 0.275, 1e-9);
}

BOOST_AUTO_TEST_CASE(context_grows_with_each_step) {
  // The prompt of 50 tokens; then four decode steps with contexts of 51, 52, 53 and 54 tokens.
  Deployment deployment;
  deployment.rules.lag_steps = 0.0;
  const auto records = records_of(deployment, constant_workload(1, 1, 50, 5), {.context = 1e-6});
  BOOST_CHECK_CLOSE(records[0].first_token, 0.060, 1e-9);
  BOOST_CHECK_CLOSE(records[0].finished, 0.060 + 4 * 0.012 + 210e-6, 1e-9);
}

BOOST_AUTO_TEST_CASE(speculation_gives_several_tokens_a_step) {
  // Four tokens after the first one at 2.5 a step: two steps.
  Deployment deployment;
  deployment.tokens_per_step = 2.5;
  deployment.rules.lag_steps = 0.0;
  const auto records = records_of(deployment, constant_workload(1, 1, 50, 5), {});
  BOOST_CHECK_CLOSE(records[0].finished, 0.060 + 2 * 0.012, 1e-9);
}

struct RuleCase {
  PromptRule rule;
  double first;   ///< token of the first request
  double second;  ///< token of the second
  double finished;
};

BOOST_AUTO_TEST_CASE(prompts_join_steps_by_the_rule_of_the_engine) {
  // Two users with prompts of 50 tokens and answers of 3 tokens; a chunk has 80 tokens.
  const RuleCase cases[] = {
      // Step 1: 50 + 30 tokens, 90 ms. Step 2: the first decodes, 20 tokens are read: 32 ms. Both decode once, then
      // one: 14 + 12 ms.
      {PromptRule::cut, 0.090, 0.122, 0.148},
      // Step 1: 80 tokens, 90 ms. Step 2: 20 tokens, alone: 30 ms. Two steps with both: 14 ms each.
      {PromptRule::alone, 0.090, 0.120, 0.148},
      // Step 1: one whole prompt, 60 ms. Step 2: the first decodes, 50 tokens: 62 ms. Both decode once, then one.
      {PromptRule::whole, 0.060, 0.122, 0.148},
  };
  for (const RuleCase& row : cases) {
    Deployment deployment;
    deployment.rules.prompts = row.rule;
    deployment.rules.chunk_tokens = 80.0;
    deployment.rules.lag_steps = 0.0;
    const auto records = records_of(deployment, constant_workload(2, 1, 50, 3), {});
    BOOST_CHECK_CLOSE(records[0].first_token, row.first, 1e-9);
    BOOST_CHECK_CLOSE(records[1].first_token, row.second, 1e-9);
    BOOST_CHECK_CLOSE(std::max(records[0].finished, records[1].finished), row.finished, 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(a_full_cache_puts_the_youngest_back) {
  // Two requests of 10 + 10 tokens in a cache of 30: both start (20 tokens); each step adds 2, so that 5 steps fit. In
  // the sixth the second is put back, with 10 + 6 tokens; it starts again when the first has left, and reads 16 tokens.
  Deployment deployment;
  deployment.cache_tokens = 30.0;
  deployment.rules.cache = CacheRule::recompute;
  deployment.rules.answer_share = 0.0;
  deployment.rules.lag_steps = 0.0;
  std::vector<RequestRecord> records;
  const SimulatedLoad load = simulate(deployment, constant_workload(2, 1, 10, 10), RoundSteps{},
                                      [&](const RequestRecord& record) { records.push_back(record); });
  BOOST_TEST(load.preemptions == 1u);
  // Prompts: 10 + 20 ms. 5 steps of 14 ms, 4 of 12 ms: the first ends at 148 ms. 26 ms for 16 tokens, which give token
  // 7, and 3 steps of 12 ms.
  BOOST_CHECK_CLOSE(records[0].finished, 0.148, 1e-9);
  BOOST_CHECK_CLOSE(records[1].finished, 0.210, 1e-9);
  BOOST_CHECK_CLOSE(records[1].first_token, 0.030, 1e-9);
  // With room for both, or with half of the answer kept free, nothing is put back.
  deployment.cache_tokens = 40.0;
  BOOST_TEST(simulate(deployment, constant_workload(2, 1, 10, 10), RoundSteps{}).preemptions == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_that_fits_no_cache_is_refused) {
  Deployment deployment;
  deployment.cache_tokens = 14.0;  // 10 + half of 10 are 15
  const SimulatedLoad load = simulate(deployment, constant_workload(2, 3, 10, 10), RoundSteps{});
  BOOST_TEST(load.requests == 0u);
  BOOST_TEST(load.refused == 6u);
}

BOOST_AUTO_TEST_CASE(turns_read_only_what_the_cache_lost) {
  // Two turns of 20 tokens and answers of 5. The second carries 25 tokens.
  Deployment deployment;
  deployment.rules.lag_steps = 0.0;
  Workload workload = constant_workload(1, 2, 20, 5);
  workload.turns = 2;
  workload.think = Seconds{1.0};
  const auto first_time = [&](const Deployment& now) {
    const auto records = records_of(now, workload, {});
    return records[1].first_token - records[1].sent;
  };
  // Kept: 10 ms and 20 tokens.
  BOOST_CHECK_CLOSE(first_time(deployment), 0.030, 1e-9);
  BOOST_TEST(simulate(deployment, workload, RoundSteps{}).reused_tokens == 25u);
  // Two users in a cache for one conversation of 45 + 2.5 tokens: the other one's tokens are dropped, and read again.
  deployment.cache_tokens = 48.0;
  workload.arrivals.users = 2;
  BOOST_TEST(simulate(deployment, workload, RoundSteps{}).reused_tokens < 50u);
  // With a second tier of 1 ms a token they are loaded, 25 ms: nothing is read again.
  deployment.host = {1000.0, Seconds{1e-3}};
  BOOST_TEST(simulate(deployment, workload, RoundSteps{}).reused_tokens == 50u);
}

BOOST_AUTO_TEST_CASE(shared_tokens_are_never_read) {
  // 15 of 20 tokens are shared: 5 are read. A cache of 40 tokens has room for the shared ones once, and for two
  // requests of 5 + 5 tokens and the half of 5.
  Deployment deployment;
  deployment.rules.lag_steps = 0.0;
  deployment.cache_tokens = 40.0;
  Workload workload = constant_workload(2, 1, 20, 5);
  workload.shared_prompt_tokens = 15;
  const auto records = records_of(deployment, workload, {});
  BOOST_CHECK_CLOSE(records[0].first_token, 0.020, 1e-9);
  BOOST_CHECK_CLOSE(records[1].first_token, 0.020, 1e-9);
}

BOOST_AUTO_TEST_CASE(pools_hand_prompts_over) {
  // 60 ms of reading, 20 ms and 50 tokens of 1 ms on the way, and 5 decode steps of 12 ms, the first of which brings
  // the first token.
  Pools pools;
  pools.handover_per_token = Seconds{1e-3};
  pools.decode.client.handover = Seconds{20e-3};
  pools.decode.rules.lag_steps = 0.0;
  std::vector<RequestRecord> records;
  (void)simulate(pools, constant_workload(1, 1, 50, 5), RoundSteps{}, RoundSteps{},
                 [&](const RequestRecord& record) { records.push_back(record); });
  BOOST_CHECK_CLOSE(records[0].first_token, 0.060 + 0.070 + 0.012, 1e-9);
  BOOST_CHECK_CLOSE(records[0].finished, 0.060 + 0.070 + 5 * 0.012, 1e-9);
}

BOOST_AUTO_TEST_CASE(requests_spread_over_replicas_and_ranks) {
  // Four users on two replicas of two ranks: each has a rank for itself, and a step has two prompts of two ranks.
  Deployment deployment;
  deployment.replicas = 2;
  deployment.attention_ranks = 2;
  deployment.rules.lag_steps = 0.0;
  int places[2][2] = {};
  (void)simulate(deployment, constant_workload(4, 1, 50, 5), RoundSteps{}, [&](const RequestRecord& record) {
    ++places[record.replica][record.rank];
    BOOST_CHECK_CLOSE(record.first_token, 0.060, 1e-9);
  });
  for (const auto& replica : places) {
    for (const int requests : replica) BOOST_TEST(requests == 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
