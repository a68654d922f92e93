/// The simulation against results of queueing theory, conservation laws, and cases computed by hand.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "models/queueing/portable_math.hpp"
#include "models/queueing/simulation/simulate.hpp"
#include "tests/models/queueing/random_deployments.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(theory_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;
namespace bdata = boost::unit_test::data;

/// Steps that take a time for each token that is read and each sequence that decodes, and nothing else.
struct LinearSteps {
  double token = 0.0;
  double sequence = 0.0;
  [[nodiscard]] Seconds rank_time(const StepLoad& load) const {
    return Seconds{token * load.prompt_tokens + sequence * load.sequences};
  }
  [[nodiscard]] static Seconds step_time(Seconds slowest_rank, const StepLoad&) { return slowest_rank; }
};

/// A server that handles one request after the other: answers are the first token only.
Deployment one_server() {
  Deployment deployment;
  deployment.rules = {.prompts = PromptRule::whole, .chunk_tokens = 1e9, .running_limit = 1.0, .lag_steps = 0.0};
  return deployment;
}

/// Poisson arrivals with exponential lengths, in blocks.
class ExponentialTrace : public RequestSource {
 public:
  ExponentialTrace(std::uint64_t count, double rate, double mean) : left_(count), rate_(rate), mean_(mean) {}
  std::size_t next(std::span<TracedRequest> block) override {
    std::size_t filled = 0;
    for (; filled < block.size() && left_ > 0; --left_, ++filled) {
      now_ -= portable_log(1.0 - random_.uniform(2 * left_)) / rate_;
      const double tokens = -mean_ * portable_log(1.0 - random_.uniform(2 * left_ + 1));
      block[filled] = {Seconds{now_}, static_cast<std::uint32_t>(tokens + 1.0), 1};
    }
    return filled;
  }
  [[nodiscard]] std::uint32_t largest_output() const override { return 1; }

 private:
  CounterRandom random_{17};
  std::uint64_t left_;
  double rate_;
  double mean_;
  double now_ = 0.0;
};

struct SingleServer {
  const char* why;
  LengthDistribution lengths;
  double load;
  double squares;  ///< E[S^2] / E[S]^2
};

const SingleServer single_servers[] = {
    {"M/D/1, half full", {LengthLaw::constant, 10000}, 0.5, 1.0},
    {"M/D/1, nearly full", {LengthLaw::constant, 10000}, 0.9, 1.0},
    {"M/G/1 uniform on 0 to 2: variance 1/3", {LengthLaw::uniform, 10000, 1.0}, 0.7, 4.0 / 3.0},
    {"M/G/1 log-normal with variation 1.5", {LengthLaw::log_normal, 10000, 1.5}, 0.6, 1.0 + 2.25},
};

BOOST_DATA_TEST_CASE(one_server_waits_as_pollaczek_and_khinchine_say, bdata::make(single_servers), row) {
  // E[W] = load E[S^2] / (2 E[S] (1 - load)), here with E[S] = 1 s.
  Workload workload;
  workload.prompt = row.lengths;
  workload.arrivals = {.law = ArrivalLaw::poisson, .rate = Frequency{row.load}, .requests = 400000};
  const SimulatedLoad load = simulate(one_server(), workload, LinearSteps{.token = 1e-4});
  const double expected = row.load * row.squares / (2.0 * (1.0 - row.load));
  const TimeSummary& waiting = load.waiting_time;
  BOOST_TEST_MESSAGE(row.why << ": " << waiting.mean << " +- " << waiting.standard_error << ", theory " << expected);
  BOOST_CHECK_SMALL(waiting.mean - expected, 4.0 * waiting.standard_error + 1e-3);
  BOOST_TEST(waiting.standard_error < 0.1 * expected);
  BOOST_CHECK_SMALL(load.busy - row.load, 0.01);
}

BOOST_AUTO_TEST_CASE(one_server_with_exponential_service_has_exponential_times) {
  // M/M/1 at load 0.8 with 1 s of service: the time in the system is exponential with mean 1 / (1 - 0.8) = 5 s.
  ExponentialTrace trace(1000000, 0.8, 10000.0);
  const SimulatedLoad load = simulate(one_server(), trace, LinearSteps{.token = 1e-4});
  BOOST_TEST(load.requests == 1000000u);
  BOOST_CHECK_SMALL(load.latency.mean - 5.0, 4.0 * load.latency.standard_error);
  BOOST_CHECK_CLOSE(load.latency.p50, 5.0 * std::log(2.0), 3.0);
  BOOST_CHECK_CLOSE(load.latency.p90, 5.0 * std::log(10.0), 3.0);
  BOOST_CHECK_CLOSE(load.latency.p99, 5.0 * std::log(100.0), 5.0);
}

BOOST_AUTO_TEST_CASE(decoding_that_slows_with_each_sequence_shares_the_processor) {
  // Steps of 1 ms a sequence, answers of 1001 tokens: a processor that is shared, 1 s of service. In an open stream the
  // time in the system is 1 / (1 - load) whatever the lengths are (M/G/1-PS).
  Deployment deployment;
  deployment.rules.running_limit = 1e6;
  deployment.rules.lag_steps = 0.0;
  for (const LengthDistribution& output :
       {LengthDistribution{LengthLaw::constant, 1001}, LengthDistribution{LengthLaw::log_normal, 1001, 1.0}}) {
    Workload workload;
    workload.output = output;
    workload.arrivals = {.law = ArrivalLaw::poisson, .rate = Frequency{0.6}, .requests = 200000};
    const SimulatedLoad load = simulate(deployment, workload, LinearSteps{.sequence = 1e-3});
    BOOST_CHECK_SMALL(load.latency.mean - 2.5, 4.0 * load.latency.standard_error + 0.01);
    BOOST_CHECK_SMALL(load.running - 1.5, 0.05);  // load / (1 - load)
  }
}

BOOST_AUTO_TEST_CASE(closed_users_of_a_shared_processor_are_a_network_of_jackson) {
  // N users, 1 s of service that is shared, 5 s of thinking: a product form that does not depend on how times are
  // distributed, so mean-value analysis holds: R(n) = S (1 + Q(n - 1)), X(n) = n / (R(n) + Z), Q(n) = X(n) R(n).
  Deployment deployment;
  deployment.rules.running_limit = 1e6;
  deployment.rules.lag_steps = 0.0;
  Workload workload;
  workload.output = {LengthLaw::log_normal, 1001, 1.0};
  workload.think = Seconds{5.0};
  double queue = 0.0;
  for (int users = 1; users <= 12; ++users) {
    const double latency = 1.0 + queue;
    const double rate = users / (latency + 5.0);
    queue = rate * latency;
    if (users != 1 && users != 4 && users != 12) continue;
    workload.arrivals.users = users;
    workload.arrivals.requests_per_user = std::floor(120000.0 / users);
    const SimulatedLoad load = simulate(deployment, workload, LinearSteps{.sequence = 1e-3});
    BOOST_CHECK_SMALL(load.latency.mean / latency - 1.0, 0.02);
    BOOST_CHECK_SMALL(load.request_rate / rate - 1.0, 0.02);
  }
}

BOOST_AUTO_TEST_CASE(many_requests_at_once_lose_nothing) {
  // A burst of 1000 requests of 10 tokens on one server of 1 ms a token: the last ends after 10 s, the mean
  // after 5.005.
  Workload workload;
  workload.prompt = {LengthLaw::constant, 10};
  workload.arrivals = {.law = ArrivalLaw::burst, .rate = Frequency{1.0}, .requests = 1000};
  const SimulatedLoad load = simulate(one_server(), workload, LinearSteps{.token = 1e-3});
  BOOST_CHECK_CLOSE(load.makespan, 10.0, 1e-9);
  BOOST_CHECK_CLOSE(load.latency.mean, 5.005, 1e-9);
  BOOST_CHECK_CLOSE(load.latency.p50, 5.005, 1e-9);
}

BOOST_AUTO_TEST_CASE(quantities_are_conserved) {
  for (std::uint64_t index = 0; index < 200; ++index) {
    RandomDeployment drawn = random_deployment(5, index);
    drawn.deployment.client = {};  // then a first token leaves at the end of its step
    drawn.deployment.rules.lag_steps = 0.0;
    drawn.workload.arrivals.users = std::min(drawn.workload.arrivals.users, 128.0);
    drawn.workload.arrivals.requests_per_user = 4;
    double decode_time = 0.0;
    double held = 0.0;
    double tokens = 0.0;
    std::vector<int> seen(512, 0);
    const SimulatedLoad load =
        simulate(drawn.deployment, drawn.workload, drawn.steps, [&](const RequestRecord& record) {
          decode_time += record.finished - record.first_token;
          held += record.finished - record.sent;
          tokens += record.output_tokens;
          ++seen[record.request];
          BOOST_REQUIRE(record.sent <= record.received && record.received <= record.started &&
                        record.started < record.first_token && record.first_token <= record.finished);
        });
    const auto count = static_cast<std::size_t>(drawn.workload.arrivals.users * 4);
    BOOST_TEST(load.requests + load.refused == count);
    BOOST_TEST(std::all_of(seen.begin(), seen.end(), [](int times) { return times <= 1; }));
    if (load.requests == 0) continue;
    // Little's law for sequences that decode, counted by steps and by requests; and for all requests.
    BOOST_CHECK_CLOSE(load.running * drawn.deployment.attention_ranks * load.makespan, decode_time, 1e-6);
    BOOST_CHECK_CLOSE(load.users * load.makespan, held, 1e-9);
    BOOST_CHECK_CLOSE(load.output_token_rate * load.makespan, tokens, 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(the_same_arguments_give_the_same_bits) {
  const RandomDeployment drawn = random_deployment(5, 3);
  const SimulatedLoad a = simulate(drawn.deployment, drawn.workload, drawn.steps);
  const SimulatedLoad b = simulate(drawn.deployment, drawn.workload, drawn.steps);
  BOOST_TEST(a.latency.mean == b.latency.mean);
  BOOST_TEST(a.first_token.p99 == b.first_token.p99);
  RandomDeployment other = drawn;
  other.workload.seed = 1;
  BOOST_TEST(simulate(other.deployment, other.workload, other.steps).latency.mean != a.latency.mean);
}

BOOST_AUTO_TEST_CASE(faster_steps_more_users_and_more_cache_help) {
  int worse = 0;
  for (std::uint64_t index = 0; index < 100; ++index) {
    RandomDeployment drawn = random_deployment(6, index);
    drawn.workload.arrivals.users = std::min(drawn.workload.arrivals.users, 256.0);
    const SimulatedLoad base = simulate(drawn.deployment, drawn.workload, drawn.steps);
    if (base.requests == 0) continue;
    RandomDeployment faster = drawn;
    faster.steps.weights *= 0.8;
    faster.steps.token *= 0.8;
    const SimulatedLoad quick = simulate(faster.deployment, faster.workload, faster.steps);
    worse += quick.latency.mean > 1.001 * base.latency.mean || quick.request_rate < 0.999 * base.request_rate;
    RandomDeployment larger = drawn;
    larger.deployment.cache_tokens *= 2.0;
    worse += simulate(larger.deployment, larger.workload, larger.steps).request_rate < 0.99 * base.request_rate;
    RandomDeployment fuller = drawn;
    fuller.workload.arrivals.users *= 2.0;
    worse += simulate(fuller.deployment, fuller.workload, fuller.steps).request_rate < 0.99 * base.request_rate;
  }
  BOOST_TEST(worse == 0);
}

BOOST_AUTO_TEST_SUITE_END()
