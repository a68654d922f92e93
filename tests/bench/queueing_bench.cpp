/// Rates of the queueing part on one core: simulated requests, and points of the closed form with steps that are quick
/// to compute.
///
///     queueing_bench
///
/// Times are processor times, so that other programs hardly influence them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/steady.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/models/queueing/random_deployments.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

/// Steps that count how often they are asked.
struct CountedSteps {
  RooflineSteps steps;
  std::uint64_t* asked;
  template <class Number>
  [[nodiscard]] SecondsOf<Number> rank_time(const BasicStepLoad<Number>& load) const {
    return steps.rank_time(load);
  }
  template <class Number>
  [[nodiscard]] SecondsOf<Number> step_time(const SecondsOf<Number>& slowest_rank,
                                            const BasicStepLoad<Number>& all) const {
    *asked += lane_count<Number>;
    return steps.step_time(slowest_rank, all);
  }
};

/// Processor time of `work`, best of three, s.
template <class Work>
double seconds_of(const Work& work) {
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

constexpr const char* rules[] = {"cut", "alone", "whole"};

Deployment deployment_with(PromptRule rule) {
  Deployment deployment;
  deployment.rules.prompts = rule;
  deployment.rules.running_limit = 1024.0;
  deployment.client = {Seconds{25e-3}, Seconds{3e-6}, Seconds{0.3e-3}};
  return deployment;
}

Workload workload_with(double users) {
  Workload workload;
  workload.prompt = shortened_lengths(1000);
  workload.output = shortened_lengths(1000);
  workload.think = Seconds{3e-3};
  workload.arrivals.users = users;
  return workload;
}

void simulate_rates() {
  for (int rule = 0; rule < 3; ++rule) {
    for (const double users : {4.0, 64.0, 1024.0}) {
      Workload workload = workload_with(users);
      workload.arrivals.requests_per_user = 200000.0 / users;
      SimulatedLoad load;
      const double seconds = seconds_of(
          [&] { load = simulate(deployment_with(static_cast<PromptRule>(rule)), workload, RooflineSteps{}); });
      std::printf("simulation, prompts %-5s, %4.0f users of 1000 + 1000 tokens: %.2f M requests/s\n", rules[rule],
                  users, 1e-6 * static_cast<double>(load.requests) / seconds);
    }
  }
  std::uint64_t requests = 0;
  const double seconds = seconds_of([&] {
    requests = 0;
    for (std::uint64_t index = 0; index < 1000; ++index) {
      const RandomDeployment drawn = random_deployment(1, index);
      requests += simulate(drawn.deployment, drawn.workload, drawn.steps).requests;
    }
  });
  std::printf("simulation, 1000 random deployments of 10 requests a user: %.2f M requests/s, %.0f deployments/s\n",
              1e-6 * static_cast<double>(requests) / seconds, 1000.0 / seconds);
}

void print_points(const char* what, const char* rule, double points, double seconds, std::uint64_t asked) {
  std::printf("closed form, %s, prompts %-5s: %.2f M points/s, %.1f step times each\n", what, rule,
              1e-6 * points / seconds, static_cast<double>(asked) / points / 3.0);
}

/// Open streams and capacities, whose range of rates is computed for each point, or once, as `serving` does for
/// neighbouring points.
void open_rates(const char* rule, const Deployment& deployment) {
  constexpr int points = 300000;
  double sum = 0.0;
  const MeanRequest request = mean_request(workload_with(1.0));
  std::uint64_t asked = 0;
  const CountedSteps steps{RooflineSteps{}, &asked};
  const std::optional<RateRange> known = rate_range(deployment, request, steps);
  double alone = 0.0;
  for (const RateRange* range : {static_cast<const RateRange*>(nullptr), &*known}) {
    const char* const what = range == nullptr ? "alone" : "shared";
    asked = 0;
    double seconds = seconds_of([&] {
      for (int i = 0; i < points; ++i)
        sum += steady(deployment, request, {DemandKind::share, 0.01 * (1 + i % 98)}, steps, range).request_rate;
    });
    if (range == nullptr) alone = seconds;
    print_points(range == nullptr ? "share, range alone" : "share, range shared", rule, points, seconds, asked);
    std::printf("  %.2f times as fast as alone\n", alone / seconds);
    seconds = seconds_of([&] {
      for (int i = 0; i < points; ++i)
        sum += capacity(deployment, request, {Seconds{0.2}, Seconds{0.03 + 1e-7 * i}}, steps, range);
    });
    std::printf("capacity, range %s, prompts %-5s: %.2f us\n", what, rule, 1e6 * seconds / points);
  }
  if (sum < 0.0) std::printf("%g\n", sum);
}

void steady_rates() {
  constexpr int points = 1000000;
  double sum = 0.0;
  for (int rule = 0; rule < 3; ++rule) {
    const Deployment deployment = deployment_with(static_cast<PromptRule>(rule));
    const MeanRequest request = mean_request(workload_with(1.0));
    std::uint64_t asked = 0;
    const CountedSteps steps{RooflineSteps{}, &asked};
    const std::optional<RateRange> known = rate_range(deployment, request, steps);
    for (const RateRange* range : {static_cast<const RateRange*>(nullptr), &*known}) {
      asked = 0;
      const double seconds = seconds_of([&] {
        for (int i = 0; i < points; ++i)
          sum += steady(deployment, request, {DemandKind::users, 1.0 + i % 2048}, steps, range).request_rate;
      });
      print_points(range == nullptr ? "users, range alone" : "users, range shared", rules[rule], points, seconds,
                   asked);
    }
    open_rates(rules[rule], deployment);
  }
  if (sum < 0.0) std::printf("%g\n", sum);
}

/// Users, and shares of the highest rate, of one deployment, one after the other and several together, as `serving` has
/// neighbouring points.
void rates_of_neighbours(const char* what, DemandKind kind) {
  constexpr std::size_t count = 2048;
  constexpr int rounds = 500;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double k = 1.0 + static_cast<double>(i);
    values[i] = kind == DemandKind::users ? k : 0.98 * k / count;
  }
  for (int rule = 0; rule < 3; ++rule) {
    const Deployment deployment = deployment_with(static_cast<PromptRule>(rule));
    const MeanRequest request = mean_request(workload_with(1.0));
    const RooflineSteps steps;
    const std::optional<RateRange> range = rate_range(deployment, request, steps);
    const FormSetting setting = setting_of(deployment, request, deployment.replicas);
    const SharedValues shared(deployment, request, 1.0);
    double sum = 0.0;
    const auto seconds = [&](const auto& solve) {
      return seconds_of([&] {
        for (int round = 0; round < rounds; ++round) solve();
      });
    };
    const double alone = seconds([&] {
      for (const double value : values) sum += steady(deployment, request, {kind, value}, steps, &*range).request_rate;
    });
    const double all = seconds([&] {
      for (std::size_t i = 0; i < count; i += demands_together) {
        const auto some = read_lanes<DemandLanes>(values.data() + i, demands_together);
        sum += steady_together(setting, shared, kind, some, steps, *range).request_rate[0];
      }
    });
    const double points = rounds * static_cast<double>(count);
    std::printf("closed form, %s, prompts %-5s: %.2f M points/s one by one, %.2f together, %.2f times as many\n", what,
                rules[rule], 1e-6 * points / alone, 1e-6 * points / all, alone / all);
    if (sum < 0.0) std::printf("%g\n", sum);
  }
}

}  // namespace

int main() {
  simulate_rates();
  steady_rates();
  rates_of_neighbours("users", DemandKind::users);
  rates_of_neighbours("share", DemandKind::share);
}
