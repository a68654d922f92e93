/// The closed form of servers whose answers are one token long, so that nothing decodes. The unknown: the rate over the
/// highest rate.
#pragma once

#include <algorithm>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/prompt_station.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// Source: docs/models/queueing.md
class PromptsForm {
 public:
  template <Steps S>
  PromptsForm(const Deployment& deployment, const MeanRequest& request, double population, double cached,
              const S& steps)
      : ranks_(deployment.attention_ranks),
        limit_(running_limit(deployment, request)),
        held_(request.prompt),
        station_(deployment.replicas, ranks_, chunk_tokens(deployment, request, cached),
                 request.prompt - request.shared - cached * request.carried,
                 request.pairs + (1.0 - cached) * request.carried_pairs, population * ranks_ * deployment.replicas,
                 steps) {}

  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double held_tokens() const { return held_; }
  [[nodiscard]] static PromptTimes prompt_times() { return {}; }
  /// Prompts meet all others of the population, however many run.
  [[nodiscard]] static bool is_as_endless(double) { return false; }
  [[nodiscard]] static double highest(double) { return 1.0; }
  [[nodiscard]] static double pole() { return 1.0; }
  [[nodiscard]] static double first_guess(double, double) { return 0.5; }
  [[nodiscard]] double rate_limit() const { return station_.highest_rate() / ranks_; }
  [[nodiscard]] static bool gathers() { return false; }
  [[nodiscard]] const PromptsForm& without_gathering() const { return *this; }
  [[nodiscard]] FormPoint at(double z) const {
    const double rate = z * station_.highest_rate();
    const PromptStation::Point prompt = station_.at(rate);
    FormPoint point;
    point.rate = rate / ranks_;
    point.wait = prompt.wait;
    point.before = prompt.wait + prompt.read;
    point.prompt_share = prompt.busy;
    point.full = prompt.full;
    return point;
  }
  /// The point at this rate.
  [[nodiscard]] FormPoint at_rate(const FormPoint&, double rate) const {
    FormPoint point = at(rate * ranks_ / station_.highest_rate());
    point.rate = rate;
    return point;
  }
  /// Requests of a rank's users whose prompts are read as they come, when all users send at once.
  [[nodiscard]] static double at_once(double population) { return population; }
  [[nodiscard]] FirstWave first_wave(double prompts, double gap) const {
    return station_.first_wave(ranks_ * prompts, gap);
  }

 private:
  /// What fits the chunk and the running limit.
  static double chunk_tokens(const Deployment& deployment, const MeanRequest& request, double cached) {
    const double read = request.prompt - request.shared - cached * request.carried;
    const double chunk = deployment.rules.chunk_tokens;
    // A whole prompt is read by one step, however long it is.
    const bool is_whole = deployment.rules.prompts == PromptRule::whole;
    const double whole = is_whole ? std::max(read, chunk - 0.5 * read) : chunk;
    return std::min(whole, std::max(1.0, running_limit(deployment, request)) * read);
  }

  double ranks_;
  double limit_;
  double held_;
  PromptStation station_;
};

}  // namespace dfsweep::queueing
