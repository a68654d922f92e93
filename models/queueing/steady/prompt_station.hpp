/// Servers that only read prompts, in batches up to a chunk: their wait and their highest rate.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// Times in seconds, rates in prompts per second of one replica.
class PromptStation {
 public:
  struct Point {
    double wait = 0.0;
    double read = 0.0;
    double busy = 0.0;  ///< share of the time
    double full = 0.0;  ///< the same of full steps; at 1 the wait has no end
  };

  /// `read`, `pairs`: tokens of a prompt that are read, and positions that they attend to. `population`: most prompts
  /// in the station.
  template <Steps S>
  PromptStation(double replicas, double ranks, double chunk_tokens, double read, double pairs, double population,
                const S& steps)
      : replicas_(replicas),
        pieces_(std::max(1.0, read / chunk_tokens)),
        most_(ranks * std::max(1.0, chunk_tokens / read)),
        others_(1.0 - 1.0 / std::max(1.0, population)),
        crowding_(std::sqrt(2.0 * (replicas + 1.0)) - 2.0) {
    const auto time_of = [&](double rank, double all) {
      const StepLoad prompt{.prompt_tokens = read, .prompt_pairs = pairs, .prompts = 1.0};
      const Seconds slowest = steps.rank_time(rank / pieces_ * prompt);
      return pieces_ * Seconds{steps.step_time(slowest, all / pieces_ * prompt)}.value();
    };
    lone_ = time_of(1.0, 1.0);
    full_ = time_of(most_ / ranks, most_);
  }

  [[nodiscard]] double highest_rate() const { return most_ / full_; }

  /// At a rate below the highest; the wait is infinite from there on.
  [[nodiscard]] Point at(double rate) const {
    const double seen = rate * others_;
    const double together = std::min(most_, arrivals_together(seen * lone_));
    Point point;
    point.full = seen / highest_rate();
    point.read = time_of(together);
    point.busy = std::min(1.0, seen * point.read / together);
    const double steps = 0.5 * point.busy + chunk_queue(point.full) / std::max(1.0, most_);
    // Several replicas: the wait of many servers against that of one. Source: [sakasegawa]
    const double fewer = crowding_ > 0.0 ? std::pow(point.busy, crowding_) / replicas_ : 1.0;
    point.wait = steps > 0.0 ? steps * point.read * fewer : 0.0;
    return point;
  }

  [[nodiscard]] FirstWave first_wave(double prompts, double gap) const {
    const double at_once = std::clamp(prompts, 1.0, most_);
    return first_wave_of(prompts, at_once, time_of(at_once), gap);
  }

 private:
  [[nodiscard]] double time_of(double prompts) const {
    return most_ > 1.0 ? lone_ + (full_ - lone_) * (prompts - 1.0) / (most_ - 1.0) : lone_;
  }

  double replicas_;
  double pieces_;  ///< steps of a prompt that is longer than a chunk
  double most_;    ///< prompts of a full step
  double others_;  ///< share of all prompts that a prompt can meet
  double crowding_;
  double lone_ = 0.0;  ///< time of one prompt
  double full_ = 0.0;  ///< time of `most_`
};

}  // namespace dfsweep::queueing
