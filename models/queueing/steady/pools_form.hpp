/// The closed form of pools apart. The unknown: sequences that decode on a rank of the servers of answers.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/prompt_station.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/steps_of_answer.hpp"

namespace dfsweep::queueing {

/// Source: docs/models/queueing.md
template <Steps D>
class PoolsForm {
 public:
  template <Steps P>
  PoolsForm(const Pools& pools, const MeanRequest& request, double population, const P& prompt_steps,
            const D& decode_steps)
      : steps_(decode_steps),
        ranks_(pools.decode.attention_ranks),
        later_steps_(steps_of_answer(request.output, request.output_variation_squared, pools.decode.tokens_per_step)),
        context_(request.prompt + 0.5 * request.output * (1.0 + request.output_variation_squared)),
        limit_(running_limit(pools.decode, request)),
        handover_(pools.decode.client.handover.value() + pools.handover_per_token.value() * request.prompt),
        ranks_per_worker_(double(pools.decode.replicas) * ranks_ / pools.prompt_replicas),
        station_(pools.prompt_replicas, pools.prompt_ranks, pools.prompt_chunk_tokens, request.prompt - request.shared,
                 request.pairs + request.carried_pairs, population * ranks_ * pools.decode.replicas, prompt_steps) {
    const double members = std::min(population, limit_);
    others_rank_ = 1.0 - 1.0 / std::max(1.0, members);
    others_ = 1.0 - 1.0 / std::max(1.0, ranks_ * members);
  }

  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double held_tokens() const { return context_; }
  [[nodiscard]] static PromptTimes prompt_times() { return {}; }
  /// Prompts meet all others of the population, however many run.
  [[nodiscard]] static bool is_as_endless(double) { return false; }
  [[nodiscard]] double highest(double population) const { return std::min(population, limit_); }
  [[nodiscard]] static double pole() { return INFINITY; }
  [[nodiscard]] double first_guess(double population, double) const { return 0.5 * highest(population); }
  [[nodiscard]] double rate_limit() const { return station_.highest_rate() / ranks_per_worker_; }
  [[nodiscard]] static bool gathers() { return false; }
  [[nodiscard]] const PoolsForm& without_gathering() const { return *this; }
  [[nodiscard]] FormPoint at(double n) const {
    const double beside_rank = 1.0 + n * others_rank_;
    const double beside = 1.0 + ranks_ * n * others_;
    const double step = step_seconds(steps_, StepLoad{.sequences = beside_rank, .context = beside_rank * context_},
                                     StepLoad{.sequences = beside, .context = beside * context_});
    FormPoint point;
    point.sequences = n;
    point.running = n;
    point.after = later_steps_ * step;
    point.after_alone = point.after;
    point.lag_step = step;
    return at_rate(point, n / ((1.0 + later_steps_) * step));
  }
  /// The point with prompts that come at this rate. Their wait is infinite at rate_limit(), near which a line between
  /// two points is not exact.
  [[nodiscard]] FormPoint at_rate(FormPoint point, double rate) const {
    const PromptStation::Point prompt = station_.at(rate * ranks_per_worker_);
    const double step = point.lag_step;
    point.rate = rate;
    point.wait = prompt.wait;
    point.full = prompt.full;
    // A prompt that is handed over waits for half a step of others; its first token comes with its first step.
    point.before =
        prompt.wait + prompt.read + handover_ + step + 0.5 * std::min(1.0, ranks_ * point.sequences * others_) * step;
    return point;
  }
  /// Requests of a rank's users whose prompts are read as they come, when all users send at once.
  [[nodiscard]] static double at_once(double population) { return population; }
  [[nodiscard]] FirstWave first_wave(double prompts, double gap) const {
    FirstWave wave = station_.first_wave(prompts * ranks_per_worker_, gap);
    wave.read += handover_ + at(std::min(1.0, prompts)).lag_step;
    return wave;
  }

 private:
  const D& steps_;
  double ranks_;
  double later_steps_;  ///< decode steps of an answer after its first
  double context_;
  double limit_;
  double handover_;
  double ranks_per_worker_;
  PromptStation station_;
  double others_rank_ = 0.0;
  double others_ = 0.0;
};

}  // namespace dfsweep::queueing
