/// Random deployments with steps that are quick to compute, as tests and benches of the queueing part draw them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/queueing/deployment.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::testing {

/// Steps of a device with a roofline that is rounded at its corner: weights are read once, tokens cost operations.
/// Steps with prompts take at least about `launch`, because they run without a graph. Seconds.
struct RooflineSteps {
  double base = 1e-3;
  double weights = 5e-3;
  double sequence = 5e-6;
  double context = 2e-8;
  double token = 2e-5;
  double pair = 1e-10;
  double launch = 3e-3;

  template <class Number>
  [[nodiscard]] SecondsOf<Number> rank_time(const queueing::BasicStepLoad<Number>& load) const {
    const Number operations = token * (load.sequences + load.prompt_tokens);
    return SecondsOf<Number>{square_root(weights * weights + operations * operations) +
                             sequence * (load.sequences + load.prompts) + context * load.context +
                             pair * load.prompt_pairs};
  }
  template <class Number>
  [[nodiscard]] SecondsOf<Number> step_time(const SecondsOf<Number>& slowest_rank,
                                            const queueing::BasicStepLoad<Number>& all) const {
    const Number time = base + slowest_rank.value();
    const MaskOf<Number> has_prompts = all.prompt_tokens > 0.0;
    if (!any(has_prompts)) return SecondsOf<Number>{time};
    const Number squares = time * time;
    const double launches = launch * launch;
    const Number launched = square_root(square_root(squares * squares + launches * launches));
    return SecondsOf<Number>{choose(has_prompts, launched, time)};
  }
};

/// Numbers of one case, each drawn from a counter of its own.
class CaseNumbers {
 public:
  CaseNumbers(std::uint64_t seed, std::uint64_t index) : random_(seed), counter_(index << 6) {}
  [[nodiscard]] double uniform() { return random_.uniform(counter_++); }
  /// Between two positive bounds, even in the logarithm.
  [[nodiscard]] double between(double low, double high) { return low * std::exp(uniform() * std::log(high / low)); }
  /// One of `count`.
  [[nodiscard]] std::size_t choice(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }

 private:
  CounterRandom random_;
  std::uint64_t counter_;
};

struct RandomDeployment {
  queueing::Deployment deployment;
  queueing::Workload workload;
  RooflineSteps steps;
};

/// Rules, clients and loads like those of measured servers: prompts and answers of 1024 or 8192 tokens, 1 to 2048
/// users.
inline RandomDeployment random_deployment(std::uint64_t seed, std::uint64_t index) {
  using queueing::AnswerRule, queueing::EngineRules, queueing::PromptRule, queueing::shortened_lengths;
  CaseNumbers draw(seed, index);
  RandomDeployment drawn;
  drawn.steps = {draw.between(5e-4, 5e-3), draw.between(2e-3, 2e-2), draw.between(1e-6, 2e-5),
                 draw.between(2e-9, 1e-7), draw.between(5e-6, 1e-4), draw.between(1e-11, 2e-9),
                 draw.between(1e-3, 1e-2)};
  constexpr double prompts[] = {1024, 1024, 8192};
  constexpr double outputs[] = {1024, 8192, 1024};
  constexpr double users[] = {1, 4, 16, 64, 256, 512, 2048};
  const std::size_t lengths = draw.choice(3);
  const double users_now = users[draw.choice(7)];
  EngineRules& rules = drawn.deployment.rules;
  rules.prompts = static_cast<PromptRule>(draw.choice(3));
  rules.chunk_tokens = draw.uniform() < 0.5 ? 2048.0 : 8192.0;
  rules.running_limit = draw.uniform() < 0.7 ? 1024.0 : std::floor(draw.between(16, 512));
  const double knob = draw.uniform();
  if (rules.prompts == PromptRule::alone && knob < 0.5) rules.receive_interval_steps = 10.0;
  if (rules.prompts == PromptRule::whole) {
    rules.chunk_tokens = 8192.0 + 600.0;
    if (knob < 0.3) rules.batch_wait_steps = 10.0;
    rules.answers = AnswerRule::largest;
    rules.answer_share = 1.0;
  }
  if (draw.uniform() < 0.3)
    drawn.deployment.cache_tokens = draw.between(3, 200) * (prompts[lengths] + outputs[lengths]);
  if (draw.uniform() < 0.25) drawn.deployment.attention_ranks = 4;
  drawn.deployment.client = {Seconds{draw.between(5e-3, 0.1)}, Seconds{3e-6}, Seconds{3e-4}};
  drawn.workload.prompt = shortened_lengths(prompts[lengths]);
  drawn.workload.output = shortened_lengths(outputs[lengths]);
  drawn.workload.think = Seconds{0.003};
  drawn.workload.arrivals.users = users_now;
  return drawn;
}

}  // namespace dfsweep::testing
