/// What points of an open stream share: a range of rates that is known changes no bits.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/queueing/steady/steady.hpp"
#include "models/queueing/steady/time_curve.hpp"
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
    const std::optional<RateRange> few = rate_range(drawn.deployment, request, drawn.steps, RangeFor::few_users);
    for (const double users : {1.0, 40.0, 3000.0}) {
      const Demand demand{DemandKind::users, users};
      const SteadyLoad alone = steady(drawn.deployment, request, demand, drawn.steps);
      for (const RateRange& range : {*known, *few}) {
        const SteadyLoad shared = steady(drawn.deployment, request, demand, drawn.steps, &range);
        BOOST_TEST(alone.request_rate == shared.request_rate);
        BOOST_TEST(alone.first_token.value() == shared.first_token.value());
        BOOST_TEST(alone.latency.value() == shared.latency.value());
      }
    }
  }
  BOOST_TEST(compared > 100U);
}

namespace {

/// Shares of the highest rate that come ever nearer to it.
std::vector<double> shares_near_one() {
  std::vector<double> shares;
  for (double left = 0.1; left > 1e-5; left *= 0.5) shares.push_back(1.0 - left);
  return shares;
}

/// Means are finite and grow with the rate, however near it is to the highest one. `load_at`: SteadyLoad of a share.
template <class LoadAt>
void check_near_the_highest_rate(const LoadAt& load_at) {
  double before = 0.0;
  for (const double share : shares_near_one()) {
    const SteadyLoad load = load_at(share);
    if (load.status == SteadyStatus::no_room) return;
    BOOST_TEST((load.status == SteadyStatus::ok));
    BOOST_TEST_CONTEXT("share 1 - " << 1.0 - share) {
      for (const double value : {load.first_token.value(), load.token_time.value(), load.latency.value(),
                                 load.waiting_time.value(), load.users, load.running, load.cache_use})
        BOOST_TEST((value >= 0.0 && value < INFINITY));
      BOOST_TEST(load.latency.value() >= before * (1.0 - 1e-4));
    }
    before = load.latency.value();
  }
  for (const double share : {1.0 - 1e-6, std::nextafter(1.0, 0.0), 1.0})
    BOOST_TEST((load_at(share).status == SteadyStatus::saturated));
}

}  // namespace

BOOST_AUTO_TEST_CASE(means_are_finite_up_to_the_highest_rate) {
  for (std::uint64_t index = 0; index < 600; ++index) {
    BOOST_TEST_CONTEXT("deployment " << index) {
      RandomDeployment drawn = random_deployment(48, index);
      const bool one_token = index % 5 == 0;
      if (one_token) drawn.workload.output = shortened_lengths(1.0);
      const MeanRequest request = mean_request(drawn.workload);
      check_near_the_highest_rate([&](double share) {
        return steady(drawn.deployment, request, {DemandKind::share, share}, drawn.steps);
      });
      if (one_token) continue;
      Pools pools;
      pools.prompt_replicas = static_cast<std::uint32_t>(1 + index % 4);
      pools.prompt_chunk_tokens = drawn.deployment.rules.chunk_tokens;
      pools.decode = drawn.deployment;
      pools.handover_per_token = Seconds{1e-6};
      check_near_the_highest_rate([&](double share) {
        return steady(pools, request, {DemandKind::share, share}, drawn.steps, drawn.steps);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_parabola_is_met_where_it_says) {
  // T = 1 + z and z = T / 3: 1/2. T = 1 + z^2 / 4 and z = T 4/5: z^2 - 5 z + 4 = 0, first at 1; another point near it
  // changes nothing. T = 3 - z and z = T / 2: 1. T = 1 + z^2 never meets z = T: then the line through the first two
  // points, 0 and 1, is parallel.
  const TimeCurve<double> line({0.0, 1.0}, {1.0, 2.0}, {2.0, 3.0});
  BOOST_CHECK_CLOSE(line.crossing(1.0 / 3.0), 0.5, 1e-12);
  TimeCurve<double> parabola({0.0, 1.0}, {2.0, 2.0}, {4.0, 5.0});
  BOOST_CHECK_CLOSE(parabola.crossing(0.8), 1.0, 1e-12);
  parabola.replace_farthest({1.5, 1.5625});
  BOOST_CHECK_CLOSE(parabola.crossing(0.8), 1.0, 1e-9);
  BOOST_CHECK_CLOSE(TimeCurve<double>({0.0, 3.0}, {1.0, 2.0}, {2.0, 1.0}).crossing(0.5), 1.0, 1e-12);
  BOOST_TEST(std::isinf(TimeCurve<double>({0.0, 1.0}, {1.0, 2.0}, {2.0, 5.0}).crossing(1.0)));
}

BOOST_AUTO_TEST_SUITE_END()
