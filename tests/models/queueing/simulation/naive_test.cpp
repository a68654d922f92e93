/// The simulation against a naive one that walks all lists at every step, request by request, for all rules.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/queueing/simulation/simulate.hpp"
#include "tests/models/queueing/naive_simulation.hpp"
#include "tests/models/queueing/random_deployments.hpp"

BOOST_AUTO_TEST_SUITE(naive_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

/// Short requests that press against every limit.
RandomDeployment small_case(std::uint64_t index) {
  CaseNumbers draw(11, index);
  RandomDeployment drawn;
  Deployment& deployment = drawn.deployment;
  EngineRules& rules = deployment.rules;
  drawn.steps = {draw.between(1e-4, 1e-2), draw.between(1e-3, 1e-2), draw.between(1e-6, 1e-4), draw.between(1e-8, 1e-5),
                 draw.between(1e-5, 1e-3), draw.between(1e-9, 1e-6), draw.between(1e-3, 1e-2)};
  rules.prompts = static_cast<PromptRule>(draw.choice(3));
  rules.chunk_tokens = std::floor(draw.between(8, 300));
  rules.running_limit = std::floor(draw.between(1, 20));
  rules.receive_interval_steps = draw.uniform() < 0.5 ? 1.0 : static_cast<double>(2 + draw.choice(9));
  rules.batch_wait_steps = draw.uniform() < 0.5 ? 0.0 : static_cast<double>(draw.choice(12));
  rules.answers = draw.uniform() < 0.7 ? AnswerRule::share : AnswerRule::largest;
  rules.answer_share = draw.uniform();
  rules.lag_steps = draw.uniform() < 0.3 ? 0.0 : 3.0 * draw.uniform();
  deployment.replicas = draw.uniform() < 0.7 ? 1 : 3;
  if (draw.uniform() < 0.3) {
    deployment.attention_ranks = 3;
    rules.rank_wait_steps = static_cast<double>(draw.choice(3) * 4);
    drawn.steps.context = 0.0;  // the slowest rank of a block of steps could change else
  }
  drawn.workload.prompt = {LengthLaw::uniform, std::floor(draw.between(5, 80)), 0.8};
  drawn.workload.output = {LengthLaw::uniform, std::floor(draw.between(2, 40)), 0.9};
  if (draw.uniform() < 0.6) deployment.cache_tokens = std::floor(draw.between(230, 1500));
  if (draw.uniform() < 0.4) rules.cache = CacheRule::recompute;
  deployment.client = {Seconds{draw.between(1e-4, 0.05)}, Seconds{draw.between(1e-7, 1e-4)},
                       Seconds{draw.between(1e-6, 1e-3)}};
  drawn.workload.think = Seconds{draw.between(1e-4, 0.3)};
  drawn.workload.arrivals.users = static_cast<double>(1 + draw.choice(25));
  drawn.workload.arrivals.requests_per_user = static_cast<double>(1 + draw.choice(5));
  drawn.workload.seed = index;
  return drawn;
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * (1.0 + std::abs(b));
}

BOOST_AUTO_TEST_CASE(every_time_of_every_request_is_the_same) {
  int preemptions = 0;
  int differ = 0;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    const RandomDeployment drawn = small_case(index);
    std::vector<RequestRecord> records;
    const SimulatedLoad load = simulate(drawn.deployment, drawn.workload, drawn.steps,
                                        [&](const RequestRecord& record) { records.push_back(record); });
    NaiveSimulation<RooflineSteps> naive(drawn.deployment, drawn.workload, drawn.steps);
    std::vector<RequestRecord> expected = naive.run();
    const auto by_number = [](const RequestRecord& a, const RequestRecord& b) { return a.request < b.request; };
    std::sort(records.begin(), records.end(), by_number);
    std::sort(expected.begin(), expected.end(), by_number);
    BOOST_REQUIRE_EQUAL(records.size() + load.refused, expected.size());
    BOOST_TEST(load.preemptions == static_cast<std::uint64_t>(naive.preemptions()));
    preemptions += naive.preemptions();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const RequestRecord& a = records[i];
      const RequestRecord& b = expected[i];
      const bool same = a.prompt_tokens == b.prompt_tokens && a.output_tokens == b.output_tokens && a.rank == b.rank &&
                        a.replica == b.replica && near(a.sent, b.sent) && near(a.received, b.received) &&
                        near(a.started, b.started) && near(a.first_token, b.first_token) &&
                        near(a.finished, b.finished);
      if (same) continue;
      ++differ;
      BOOST_TEST_MESSAGE("case " << index << " request " << i << ": started " << a.started << " " << b.started
                                 << ", first token " << a.first_token << " " << b.first_token << ", finished "
                                 << a.finished << " " << b.finished);
      break;
    }
  }
  BOOST_TEST(differ == 0);
  BOOST_TEST(preemptions > 100);  // the cases do press
}

BOOST_AUTO_TEST_SUITE_END()
