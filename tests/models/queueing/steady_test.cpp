/// The closed form: cases computed by hand, properties on random points, and its errors against the simulation.
/// With DFSWEEP_LONG_TESTS=1 in the environment: ten times as many deployments are simulated.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/steady.hpp"
#include "tests/models/queueing/random_deployments.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(steady_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

/// 10 ms a step, 1 ms a token that is read, 2 ms a sequence that decodes.
struct RoundSteps {
  [[nodiscard]] static Seconds rank_time(const StepLoad& load) {
    return Seconds{1e-3 * load.prompt_tokens + 2e-3 * load.sequences};
  }
  [[nodiscard]] static Seconds step_time(Seconds slowest_rank, const StepLoad&) {
    return Seconds{10e-3} + slowest_rank;
  }
};

MeanRequest request_of(double prompt, double output) {
  Workload workload;
  workload.prompt.mean = prompt;
  workload.output.mean = output;
  return mean_request(workload);
}

SteadyLoad with_users(const Deployment& deployment, const MeanRequest& request, double users) {
  return steady(deployment, request, {DemandKind::users, users}, RoundSteps{});
}

BOOST_AUTO_TEST_CASE(one_user_meets_no_other) {
  // As the simulated case: 2 + 20 + 5 ms of client, 60 ms of reading, 6 ms of lag; 4 steps of 12 ms, less the lag,
  // which does not delay the last token.
  Deployment deployment;
  deployment.client = {Seconds{20e-3}, Seconds{0.1e-3}, Seconds{2e-3}};
  MeanRequest request = request_of(50, 5);
  request.think = Seconds{5e-3};
  const SteadyLoad load = with_users(deployment, request, 1);
  BOOST_CHECK_CLOSE(load.first_token.value(), 0.093, 1e-6);
  BOOST_CHECK_CLOSE(load.token_time.value(), (0.048 - 0.006) / 4, 1e-6);
  BOOST_CHECK_CLOSE(load.latency.value(), 0.135, 1e-6);
  BOOST_CHECK_CLOSE(load.request_rate, 1 / 0.140, 1e-6);
  BOOST_CHECK_SMALL(load.waiting_time.value(), 1e-12);
}

BOOST_AUTO_TEST_CASE(a_running_limit_makes_users_wait_for_places) {
  // One place: 60 ms of reading and 40 decode steps of 12 ms, 540 ms a request. Of 5 users four wait: 2 160 ms.
  Deployment deployment;
  deployment.rules.running_limit = 1.0;
  deployment.rules.lag_steps = 0.0;
  MeanRequest request = request_of(50, 41);
  request.first_share = 0.0;
  const SteadyLoad load = with_users(deployment, request, 5);
  BOOST_CHECK_CLOSE(load.request_rate, 1 / 0.540, 1e-4);
  BOOST_CHECK_CLOSE(load.first_token.value(), 2.160 + 0.060, 1e-4);
  BOOST_CHECK_CLOSE(load.waiting_time.value(), 2.160, 1e-4);
  // In a run of 4 requests each, the first ones wait for 0 to 4 places: 2 on average instead of 4, a quarter of the
  // time.
  request.first_share = 0.25;
  BOOST_CHECK_CLOSE(with_users(deployment, request, 5).waiting_time.value(), 2.160 - 0.25 * 0.5 * 0.540 * 4 * 0.8, 5.0);
}

BOOST_AUTO_TEST_CASE(the_cache_limits_what_runs) {
  // 50 tokens and half of 20 are 60: 3.5 of them fit 210 tokens, of which the next one leaves half of a place; with all
  // of the 20 tokens three fit; 80 hold 1.14, but no fewer than one; 59 hold not one.
  Deployment deployment;
  deployment.cache_tokens = 210.0;
  BOOST_CHECK_CLOSE(running_limit(deployment, request_of(50, 20)), 3.0, 1e-9);
  // Of answers that vary as exponential ones do, those that are met have twice the length: 70 tokens.
  MeanRequest varied = request_of(50, 20);
  varied.output_variation_squared = 1.0;
  BOOST_CHECK_CLOSE(running_limit(deployment, varied), 2.5, 1e-9);
  deployment.rules.answers = AnswerRule::largest;
  deployment.rules.answer_share = 1.0;
  BOOST_CHECK_CLOSE(running_limit(deployment, request_of(50, 20)), 2.5, 1e-9);
  deployment.cache_tokens = 80.0;
  BOOST_CHECK_CLOSE(running_limit(deployment, request_of(50, 20)), 1.0, 1e-9);
  deployment.cache_tokens = 59.0;
  BOOST_TEST((with_users(deployment, request_of(50, 20), 4).status == SteadyStatus::no_room));
  BOOST_TEST(capacity(deployment, request_of(50, 20), {}, RoundSteps{}) == 0.0);
}

BOOST_AUTO_TEST_CASE(an_open_stream_is_saturated_at_its_highest_rate) {
  Deployment deployment;
  deployment.rules.running_limit = 8.0;
  const MeanRequest request = request_of(50, 41);
  const double highest = steady(deployment, request, {DemandKind::share, 0.5}, RoundSteps{}).highest_rate;
  // With 8 places, about 7 other sequences: decode steps of 26 ms, and 60 ms for each prompt of 40 steps.
  BOOST_TEST(highest > 8 / (40 * 0.026 + 8 * 0.060));
  BOOST_TEST(highest < 8 / (40 * 0.026));
  const auto status = [&](double rate) {
    return steady(deployment, request, {DemandKind::rate, rate}, RoundSteps{}).status;
  };
  BOOST_TEST((status(0.999 * highest) == SteadyStatus::ok));
  BOOST_TEST((status(1.001 * highest) == SteadyStatus::saturated));
  const SteadyLoad half = steady(deployment, request, {DemandKind::share, 0.5}, RoundSteps{});
  BOOST_CHECK_CLOSE(half.request_rate, 0.5 * highest, 1e-5);
  BOOST_CHECK_CLOSE(half.users, half.request_rate * half.latency.value(), 1e-9);
}

BOOST_AUTO_TEST_CASE(prompts_alone_wait_as_a_single_server) {
  // Answers of one token, one prompt a step: M/D/1. At half of its rate the wait is half of the 60 ms of service.
  Deployment deployment;
  deployment.rules.chunk_tokens = 50.0;
  const SteadyLoad load = steady(deployment, request_of(50, 1), {DemandKind::share, 0.5}, RoundSteps{});
  BOOST_CHECK_CLOSE(load.highest_rate, 1 / 0.060, 1e-6);
  BOOST_CHECK_CLOSE(load.waiting_time.value(), 0.030, 0.1);
}

BOOST_AUTO_TEST_CASE(capacity_is_where_a_limit_is_reached) {
  for (std::uint64_t index = 0; index < 300; ++index) {
    const RandomDeployment drawn = random_deployment(31, index);
    const MeanRequest request = mean_request(drawn.workload);
    CaseNumbers draw(32, index);
    const SteadyLoad light = steady(drawn.deployment, request, {DemandKind::share, 1e-3}, drawn.steps);
    if (light.status != SteadyStatus::ok) continue;
    const Limits limits{(1.0 + 3.0 * draw.uniform()) * light.first_token,
                        (1.0 + 3.0 * draw.uniform()) * light.token_time};
    const double rate = capacity(drawn.deployment, request, limits, drawn.steps);
    const auto keeps = [&](double factor) {
      const SteadyLoad at = steady(drawn.deployment, request, {DemandKind::rate, factor * rate}, drawn.steps);
      return at.status == SteadyStatus::ok && at.first_token <= limits.first_token &&
             at.token_time <= limits.token_time;
    };
    BOOST_TEST(keeps(0.99));
    BOOST_TEST(!keeps(1.01));
  }
}

BOOST_AUTO_TEST_CASE(pools_read_hand_over_and_decode) {
  // One user: 60 ms, 20 ms and 50 tokens of 1 ms, a decode step of 12 ms, then four more.
  Pools pools;
  pools.handover_per_token = Seconds{1e-3};
  pools.decode.client.handover = Seconds{20e-3};
  pools.decode.rules.lag_steps = 0.0;
  const SteadyLoad load = steady(pools, request_of(50, 5), {DemandKind::users, 1}, RoundSteps{}, RoundSteps{});
  BOOST_CHECK_CLOSE(load.first_token.value(), 0.142, 1e-6);
  BOOST_CHECK_CLOSE(load.latency.value(), 0.190, 1e-6);
  // Many users: the rate is that of full chunks, 163 prompts of 50 tokens.
  const SteadyLoad full = steady(pools, request_of(50, 5), {DemandKind::users, 20000}, RoundSteps{}, RoundSteps{});
  pools.decode.rules.running_limit = 1e6;
  const double highest = 8192 / 50.0 / (0.010 + 8.192);
  BOOST_TEST(full.request_rate <
             1.06 * highest);  // in a run of 10 requests each, the first wave waits for half as long
  BOOST_TEST(full.request_rate > 0.95 * highest);
}

/// How often a promise is broken on random points.
struct Broken {
  const char* promise;
  double tolerance;
  int count = 0;
  double worst = 0.0;
  void note(double excess) {
    worst = std::max(worst, excess);
    count += excess > tolerance;
  }
};

double change(double to, double from) {
  return to / from - 1.0;
}

BOOST_AUTO_TEST_CASE(properties_hold_on_random_points) {
  Broken little{"Little's law", 1e-12};
  Broken step{"no jump where users grow by 1e-7", 1e-6};
  // Where the steady rate of a rank binds, more users see each other more by a trace.
  Broken rate{"more users never lower the rate", 3e-3};
  Broken latency{"more users never shorten the latency", 1e-9};
  Broken part{"a faster part never lengthens the latency or lowers the rate", 1e-4};  // solved to 1e-5
  // Sequences that decode take room of the chunk from prompts, which costs up to a half percent.
  Broken cache{"more cache never hurts in the steady state", 5e-3};
  for (std::uint64_t index = 0; index < 100000; ++index) {
    RandomDeployment drawn = random_deployment(7, index);
    CaseNumbers draw(8, index);
    const double users = draw.between(1, 3000);
    MeanRequest request = mean_request(drawn.workload);
    const auto at = [&](double count) {
      return steady(drawn.deployment, request, {DemandKind::users, count}, drawn.steps);
    };
    const SteadyLoad base = at(users);
    if (base.status != SteadyStatus::ok) continue;
    little.note(std::abs(base.users / (base.request_rate * (base.latency + request.think).value()) - 1.0));
    const SteadyLoad next = at(users * (1.0 + 1e-7));
    step.note(std::abs(change(next.latency.value(), base.latency.value())));
    step.note(std::abs(next.first_token.value() - base.first_token.value()) / base.latency.value());
    step.note(std::abs(change(next.token_time.value(), base.token_time.value())));
    const SteadyLoad more = at(users * (1.0 + draw.uniform()));
    rate.note(-change(more.request_rate, base.request_rate));
    latency.note(-change(more.latency.value(), base.latency.value()));
    RooflineSteps& steps = drawn.steps;
    double* const parts[] = {&steps.base,  &steps.weights, &steps.sequence, &steps.context,
                             &steps.token, &steps.pair,    &steps.launch};
    double& changed = *parts[draw.choice(7)];
    const double kept = changed;
    changed *= 0.3 + 0.7 * draw.uniform();
    const SteadyLoad faster = at(users);
    part.note(change(faster.latency.value(), base.latency.value()));
    part.note(-change(faster.request_rate, base.request_rate));
    changed = kept;
    request.first_share = 0.0;
    const SteadyLoad settled = at(users);
    drawn.deployment.cache_tokens *= 1.0 + 2.0 * draw.uniform();
    const SteadyLoad larger = at(users);
    cache.note(change(larger.latency.value(), settled.latency.value()));
    cache.note(-change(larger.request_rate, settled.request_rate));
  }
  for (const Broken& promise : {little, step, rate, latency, part, cache}) {
    BOOST_TEST(promise.count == 0,
               promise.promise << ": broken " << promise.count << " times, worst " << promise.worst);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

constexpr const char* rule_names[] = {"cut", "alone", "whole"};

std::uint64_t cases_of(std::uint64_t count) {
  const char* value = std::getenv("DFSWEEP_LONG_TESTS");
  return value != nullptr && std::string(value) == "1" ? 10 * count : count;
}

BOOST_AUTO_TEST_CASE(the_simulation_agrees) {
  const std::uint64_t cases = cases_of(2000);
  constexpr int users_of[] = {1, 4, 16, 64, 256, 512, 2048};
  std::vector<double> token_times[3][7];
  std::vector<double> first_tokens[3][7];
  for (std::uint64_t index = 0; index < cases; ++index) {
    const RandomDeployment drawn = random_deployment(42, index);
    const double users = drawn.workload.arrivals.users;
    const SimulatedLoad simulated = simulate(drawn.deployment, drawn.workload, drawn.steps);
    const SteadyLoad form =
        steady(drawn.deployment, mean_request(drawn.workload), {DemandKind::users, users}, drawn.steps);
    if (form.status != SteadyStatus::ok || simulated.requests == 0) continue;
    const auto rule = static_cast<std::size_t>(drawn.deployment.rules.prompts);
    const auto place = static_cast<std::size_t>(std::find(users_of, users_of + 7, users) - users_of);
    token_times[rule][place].push_back(std::abs(change(form.token_time.value(), simulated.token_time.mean)));
    first_tokens[rule][place].push_back(std::abs(change(form.first_token.value(), simulated.first_token.mean)));
  }
  for (std::size_t rule = 0; rule < 3; ++rule) {
    for (std::size_t place = 0; place < 7; ++place) {
      const double token = median(token_times[rule][place]);
      const double first = median(first_tokens[rule][place]);
      BOOST_TEST_MESSAGE(rule_names[rule] << ", " << users_of[place] << " users: median error of token times "
                                          << 100.0 * token << " %, of first tokens " << 100.0 * first << " %");
      BOOST_TEST(token < 0.015);
      BOOST_TEST(first < 0.04);
    }
  }
}

// Streams of 40 000 requests, which begin with none inside: the nearer to the highest rate, the longer this lasts.
BOOST_AUTO_TEST_CASE(the_simulation_of_open_streams_agrees) {
  constexpr double loads[] = {0.5, 0.7, 0.8, 0.9};
  constexpr double most[] = {0.03, 0.05, 0.06, 0.15};  ///< median of the errors of first tokens
  std::vector<double> token_times[3][4];
  std::vector<double> first_tokens[3][4];
  for (std::uint64_t index = 0; index < cases_of(75); ++index) {
    RandomDeployment drawn = random_deployment(43, index);
    Arrivals& arrivals = drawn.workload.arrivals;
    arrivals.law = ArrivalLaw::poisson;
    arrivals.requests = 40000;
    const auto rule = static_cast<std::size_t>(drawn.deployment.rules.prompts);
    for (std::size_t place = 0; place < 4; ++place) {
      const SteadyLoad form =
          steady(drawn.deployment, mean_request(drawn.workload), {DemandKind::share, loads[place]}, drawn.steps);
      if (form.status != SteadyStatus::ok) continue;
      arrivals.rate = Frequency{form.request_rate};
      const SimulatedLoad simulated = simulate(drawn.deployment, drawn.workload, drawn.steps);
      token_times[rule][place].push_back(std::abs(change(form.token_time.value(), simulated.token_time.mean)));
      first_tokens[rule][place].push_back(std::abs(change(form.first_token.value(), simulated.first_token.mean)));
    }
  }
  for (std::size_t rule = 0; rule < 3; ++rule) {
    for (std::size_t place = 0; place < 4; ++place) {
      const double token = median(token_times[rule][place]);
      const double first = median(first_tokens[rule][place]);
      BOOST_TEST_MESSAGE(rule_names[rule] << ", load " << loads[place] << ": median error of token times "
                                          << 100.0 * token << " %, of first tokens " << 100.0 * first << " %");
      BOOST_TEST(token < 0.04);
      BOOST_TEST(first < most[place]);
    }
  }
}

// With times that do not depend on the others it is the wait of M/M/c, c places, if lengths are exponential: c = 8,
// load 0.8: Erlang's P(wait) = 0.4576; of alike lengths it is half of that and 6 % [cosmetatos].
BOOST_AUTO_TEST_CASE(places_are_waited_for_as_for_servers) {
  struct FlatSteps {
    [[nodiscard]] static Seconds rank_time(const StepLoad&) { return {}; }
    [[nodiscard]] static Seconds step_time(Seconds, const StepLoad&) { return Seconds{10e-3}; }
  };
  Deployment deployment;
  deployment.rules.running_limit = 8.0;
  MeanRequest request = request_of(1, 10001);  // 100 s
  const auto wait = [&] {
    return steady(deployment, request, {DemandKind::share, 0.8}, FlatSteps{}).waiting_time.value();
  };
  const double memoryless = 0.4576 * 100.0 / (8 * (1 - 0.8));
  request.output_variation_squared = 1.0;
  BOOST_CHECK_CLOSE(wait(), memoryless, 3.0);
  request.output_variation_squared = 0.0;
  BOOST_TEST(wait() > 0.51 * memoryless);
  BOOST_TEST(wait() < 0.55 * memoryless);
}

BOOST_AUTO_TEST_SUITE_END()
