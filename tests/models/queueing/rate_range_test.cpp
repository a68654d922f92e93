/// What points of an open stream share: a range of rates that is known changes no bits.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>

#include "models/queueing/steady/steady.hpp"
#include "tests/models/queueing/random_deployments.hpp"

BOOST_AUTO_TEST_SUITE(rate_range_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

// What points share is computed as each computes it.
BOOST_AUTO_TEST_CASE(a_known_range_of_rates_changes_no_bits) {
  std::size_t compared = 0;
  for (std::uint64_t index = 0; index < 300; ++index) {
    const RandomDeployment drawn = random_deployment(47, index);
    const MeanRequest request = mean_request(drawn.workload);
    const std::optional<RateRange> known = rate_range(drawn.deployment, request, drawn.steps);
    if (!known) continue;
    ++compared;
    for (const double share : {0.2, 0.6, 0.95}) {
      const Demand demand{DemandKind::share, share};
      const SteadyLoad alone = steady(drawn.deployment, request, demand, drawn.steps);
      const SteadyLoad shared = steady(drawn.deployment, request, demand, drawn.steps, &*known);
      BOOST_TEST(alone.request_rate == shared.request_rate);
      BOOST_TEST(alone.first_token.value() == shared.first_token.value());
      BOOST_TEST(alone.latency.value() == shared.latency.value());
      const Limits limits{1.05 * alone.first_token, 1.05 * alone.token_time};
      BOOST_TEST(capacity(drawn.deployment, request, limits, drawn.steps) ==
                 capacity(drawn.deployment, request, limits, drawn.steps, &*known));
    }
  }
  BOOST_TEST(compared > 100U);
}

BOOST_AUTO_TEST_SUITE_END()
