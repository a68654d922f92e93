/// Demands that are answered together: each has the same bits as when it is answered alone.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "models/lanes.hpp"
#include "models/queueing/steady/steady.hpp"
#include "tests/models/queueing/random_deployments.hpp"

BOOST_AUTO_TEST_SUITE(lanes_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

namespace {

bool have_same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool are_same(const SteadyLoad& a, const SteadyLoad& b) {
  return a.status == b.status && have_same_bits(a.first_token.value(), b.first_token.value()) &&
         have_same_bits(a.token_time.value(), b.token_time.value()) &&
         have_same_bits(a.latency.value(), b.latency.value()) &&
         have_same_bits(a.waiting_time.value(), b.waiting_time.value()) &&
         have_same_bits(a.request_rate, b.request_rate) && have_same_bits(a.highest_rate, b.highest_rate) &&
         have_same_bits(a.users, b.users) && have_same_bits(a.running, b.running) &&
         have_same_bits(a.cache_use, b.cache_use) && have_same_bits(a.prompt_share, b.prompt_share);
}

/// A deployment of the whole domain: lengths, chunks, limits, caches, ranks, replicas and fronts far apart.
RandomDeployment wide_deployment(std::uint64_t index) {
  RandomDeployment drawn = random_deployment(20261128, index);
  CaseNumbers draw(7, index);
  drawn.workload.prompt = shortened_lengths(draw.between(2, 65536));
  drawn.workload.output = shortened_lengths(draw.uniform() < 0.1 ? 1 : draw.between(2, 8192));
  if (draw.uniform() < 0.1) drawn.workload.turns = 4;
  drawn.workload.think = Seconds{draw.uniform() < 0.5 ? 0.0 : draw.between(1e-3, 100.0)};
  drawn.workload.arrivals.requests_per_user = draw.between(1, 50);
  drawn.deployment.rules.chunk_tokens = draw.between(256, 32768);
  drawn.deployment.rules.running_limit = std::floor(draw.between(1, 4096));
  if (draw.uniform() < 0.3) drawn.deployment.cache_tokens = draw.between(100, 1e7);
  if (draw.uniform() < 0.5) drawn.deployment.attention_ranks = 1U << draw.choice(5);
  drawn.deployment.replicas = 1U << draw.choice(4);
  if (draw.uniform() < 0.2) drawn.deployment.tokens_per_step = draw.between(1, 4);
  if (draw.uniform() < 0.2) drawn.deployment.rules.rank_wait_steps = draw.between(1, 30);
  if (draw.uniform() < 0.3) drawn.deployment.client.serial = Seconds{draw.between(1e-3, 3.0)};
  return drawn;
}

/// Steps that know nothing of lanes.
struct PlainSteps {
  RooflineSteps steps;
  [[nodiscard]] Seconds rank_time(const StepLoad& load) const { return steps.rank_time(load); }
  [[nodiscard]] Seconds step_time(Seconds slowest, const StepLoad& all) const { return steps.step_time(slowest, all); }
};
static_assert(LaneSteps<RooflineSteps, DemandLanes> && !LaneSteps<PlainSteps, DemandLanes>);

/// Compares demands that are answered together with each of them alone. Returns the requests per second of each.
template <class S>
std::vector<double> check_together(const RandomDeployment& drawn, const S& steps, DemandKind kind,
                                   const std::vector<double>& values) {
  const MeanRequest request = mean_request(drawn.workload);
  const FormSetting setting = setting_of(drawn.deployment, request, drawn.deployment.replicas);
  const std::optional<RateRange> range =
      rate_range(drawn.deployment, request, steps, kind == DemandKind::users ? RangeFor::users : RangeFor::streams);
  BOOST_REQUIRE(range.has_value());
  const std::size_t count = not_saturated(setting, kind, values, *range);
  if (count < values.size()) {
    const SteadyLoad next = steady(drawn.deployment, request, {kind, values[count]}, drawn.steps);
    BOOST_TEST((next.status == SteadyStatus::saturated));
  }
  const SharedValues shared(drawn.deployment, request, 1.0);
  std::vector<double> rates;
  for (std::size_t first = 0; first < count; first += demands_together) {
    const std::size_t some = std::min(demands_together, count - first);
    const auto asked = read_lanes<DemandLanes>(values.data() + first, some);
    const BasicSteadyLoad<DemandLanes> together = steady_together(setting, shared, kind, asked, steps, *range);
    for (std::size_t i = 0; i < some; ++i) {
      const SteadyLoad alone = steady(drawn.deployment, request, {kind, values[first + i]}, drawn.steps);
      BOOST_TEST(are_same(load_of_lane(together, i), alone), values[first + i] << " of kind " << int(kind));
      rates.push_back(alone.request_rate);
    }
  }
  return rates;
}

/// Numbers of users, rates or shares of which some saturate the deployment.
std::vector<double> random_values(DemandKind kind, CaseNumbers& draw) {
  std::vector<double> values(1 + draw.choice(9));  // full groups, and part of one
  for (double& v : values) {
    if (kind == DemandKind::users)
      v = draw.uniform() < 0.5 ? std::floor(draw.between(1, 1e5)) : draw.between(0.01, 1e4);
    else
      v = kind == DemandKind::share ? draw.between(1e-4, 1.05) : draw.between(1e-3, 30.0);
  }
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(demands_have_the_bits_that_they_have_alone) {
  int groups = 0;
  int held_up = 0;
  int streams = 0;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    BOOST_TEST_CONTEXT("deployment " << index) {
      const RandomDeployment drawn = wide_deployment(index);
      if (!can_be_together(drawn.deployment, mean_request(drawn.workload))) continue;
      ++groups;
      CaseNumbers draw(11, index);
      const std::vector<double> users = random_values(DemandKind::users, draw);
      const double front_rate = drawn.deployment.replicas / drawn.deployment.client.serial.value();
      for (const double rate : check_together(drawn, drawn.steps, DemandKind::users, users))
        held_up += rate > 0.999 * front_rate ? 1 : 0;
      for (const DemandKind kind : {DemandKind::share, DemandKind::rate})
        streams += static_cast<int>(check_together(drawn, drawn.steps, kind, random_values(kind, draw)).size());
      if (index % 10 == 0) check_together(drawn, PlainSteps{drawn.steps}, DemandKind::users, users);
    }
  }
  BOOST_TEST(groups > 1000);
  BOOST_TEST(held_up > 300);
  BOOST_TEST(streams > 3000);
}

/// Numbers at which comparisons and choices differ, and what one number says of them.
BOOST_AUTO_TEST_CASE(functions_of_lanes_are_those_of_one_number) {
  const double samples[] = {0.0, -0.0, 1.0, -2.5, 1e300, INFINITY, -INFINITY, NAN};
  for (const double x : samples) {
    for (const double y : samples) {
      BOOST_TEST_CONTEXT(x << ", " << y) {
        Lanes<4> a = 3.0;
        Lanes<4> b = 4.0;
        a.set(2, x);
        b.set(2, y);
        const auto same = [](const Lanes<4>& lanes, double expected) {
          return have_same_bits(lanes[2], expected) || (std::isnan(lanes[2]) && std::isnan(expected));
        };
        BOOST_TEST(same(lesser(a, b), lesser(x, y)));
        BOOST_TEST(same(greater(a, b), greater(x, y)));
        BOOST_TEST(same(magnitude(a), magnitude(x)));
        BOOST_TEST(same(square_root(a), square_root(x)));
        BOOST_TEST(same(a + b, x + y));
        BOOST_TEST(same(a - b, x - y));
        BOOST_TEST(same(a * b, x * y));
        BOOST_TEST(same(a / b, x / y));
        BOOST_TEST(same(choose(a < b, a, b), x < y ? x : y));
        BOOST_TEST(same(choose(a <= b, a, b), x <= y ? x : y));
        BOOST_TEST(same(choose(a > b, a, b), x > y ? x : y));
        BOOST_TEST(same(choose(a >= b, a, b), x >= y ? x : y));
        BOOST_TEST(same(choose(a == b, 1.0, Lanes<4>(2.0)), x == y ? 1.0 : 2.0));
        BOOST_TEST(same(choose(a != b, 1.0, Lanes<4>(2.0)), x != y ? 1.0 : 2.0));
        BOOST_TEST(same(clamped(a, 0.0, b), clamped(x, 0.0, y)));
        BOOST_TEST(any(a > b) == (x > y));  // the other lanes have 3 and 4
        BOOST_TEST(any((a > b) & (b < a)) == (x > y));
        BOOST_TEST(any((a == b) | !(a <= b)) == (!(x <= y) || x == y));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
