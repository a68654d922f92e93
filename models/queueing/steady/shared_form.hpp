/// The closed form of servers that read prompts and decode answers. The unknown: sequences that decode on a rank.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/prompt_station.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// Pre: answers of more than one token. Source of all formulas: docs/models/queueing.md
template <Steps S>
class SharedForm {
 public:
  /// `population`: most requests in a rank at once; infinite for an open stream. `cached`: share of carried tokens that
  /// are not read again.
  SharedForm(const Deployment& deployment, const MeanRequest& request, double population, double cached, const S& steps)
      : rules_(deployment.rules),
        steps_(steps),
        ranks_(deployment.attention_ranks),
        output_steps_((request.output - 1.0) / deployment.tokens_per_step),
        read_(request.prompt - request.shared - cached * (request.carried)),
        prompts_per_step_(1.0 / output_steps_),
        per_read_(1.0 / read_),
        pairs_(request.pairs + (1.0 - cached) * request.carried_pairs),
        context_(request.prompt + 0.5 * request.output * (1.0 + request.output_variation_squared)),
        limit_(running_limit(deployment, request)),
        alone_(rules_.prompts == PromptRule::alone),
        unused_(rules_.prompts == PromptRule::whole ? std::min(0.5 * read_, std::max(0.0, rules_.chunk_tokens - read_))
                                                    : 0.0),
        spread_(ranks_ > 1.0 ? 2.0 * std::log(ranks_) / ranks_ : 0.0) {
    const double members = std::max(1.0, std::min(population, limit_));
    others_rank_ = 1.0 - 1.0 / members;
    others_ = 1.0 - 1.0 / (ranks_ * members);
    hold_ = alone_                                         ? 0.0
            : ranks_ > 1.0 && rules_.rank_wait_steps > 0.0 ? rules_.rank_wait_steps
                                                           : rules_.batch_wait_steps;
    hold_enough_ = ranks_ * std::max(1.0, rules_.batch_wait_share * rules_.chunk_tokens / read_);
    gather_ = alone_ ? std::max(1.0, rules_.receive_interval_steps) : 1.0;
    if (members < few) {
      const double at_once = std::min(members, std::max(1.0, rules_.chunk_tokens - unused_) * per_read_);
      read_time_ = time_of(prompts(at_once), ranks_ * prompts(at_once)) / at_once;
    }
  }

  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double held_tokens() const { return context_; }

  /// The largest unknown: what runs with `population` requests in a rank, or the pole.
  [[nodiscard]] double highest(double population) const { return std::min({population, limit_, pole()}); }
  /// Where prompts fill every chunk, so that only a queue without end comes there; infinite where that does not happen.
  [[nodiscard]] double pole() const {
    if (alone_) return INFINITY;
    const double read_of_step = others_ * read_ * prompts_per_step_;
    const double room = std::max(1.0, rules_.chunk_tokens - unused_ - 1.0);
    // Sequences that fill the chunk leave one token.
    return std::max(room / (read_of_step + others_rank_), 1.0 / read_of_step);
  }

  /// What else limits the rate of a rank.
  [[nodiscard]] static double rate_limit() { return INFINITY; }

  /// Pre: 0 < n <= pole().
  [[nodiscard]] FormPoint at(double n) const;

  /// Requests of a rank's users whose prompts are read as they come, when all users send at once.
  [[nodiscard]] double at_once(double population) const { return std::min(population, limit_); }
  /// Of `count` prompts of a rank that come at once. What the first of them decode does not hold up the others much.
  [[nodiscard]] FirstWave first_wave(double count, double gap) const {
    const double most = std::max(1.0, rules_.chunk_tokens - unused_) / read_;
    const double pieces = std::max(1.0, 1.0 / most);
    const double at_once = std::clamp(count, 1.0, std::max(1.0, most));
    const StepLoad rank = prompts(at_once / pieces);
    return first_wave_of(count, at_once, pieces * time_of(rank, ranks_ * rank), ranks_ * gap);
  }

 private:
  [[nodiscard]] StepLoad sequences(double count) const { return {.sequences = count, .context = count * context_}; }
  [[nodiscard]] StepLoad prompts(double count) const {
    return {.prompt_tokens = count * read_, .prompt_pairs = count * pairs_, .prompts = count};
  }
  [[nodiscard]] double time_of(const StepLoad& rank, const StepLoad& all) const {
    return Seconds{steps_.step_time(Seconds{steps_.rank_time(rank)}, all)}.value();
  }
  /// Prompts of the rank with most of them, when `together` are read by all ranks and at most `most` fit one: about the
  /// largest of several Poisson numbers, and a whole prompt at least.
  [[nodiscard]] double fullest_of(double together, double most) const {
    if (ranks_ <= 1.0) return together;
    const double spread = together / ranks_ + std::sqrt(spread_ * together);
    return std::min({most, together, std::max(spread, 1.0)});
  }

  /// Requests of a rank, below which they could read more by `at` than there is time for.
  static constexpr double few = 64.0;

  const EngineRules& rules_;
  const S& steps_;
  double ranks_;
  double output_steps_;      ///< decode steps of an answer after its first token
  double read_;              ///< tokens of a prompt that are read
  double prompts_per_step_;  ///< that a sequence which decodes brings
  double per_read_;
  double pairs_;
  double context_;
  double limit_;
  bool alone_;
  double unused_;  ///< of a chunk, because whole prompts do not fill it
  double spread_;
  double others_rank_ = 0.0;  ///< share of the sequences of a rank that a member of it sees beside itself
  double others_ = 0.0;       ///< the same of a replica
  double hold_ = 0.0;         ///< decode steps that prompts wait for others at most
  double hold_enough_ = 1.0;  ///< prompts of a replica that do not wait any longer
  double gather_ = 1.0;       ///< decode steps between two looks
  double read_time_ = 0.0;    ///< s of a prompt, at least, where as many as there can be are read at once; 0: no bound
};

template <Steps S>
FormPoint SharedForm<S>::at(double n) const {
  const double beside_rank = n * others_rank_;
  const double beside = ranks_ * n * others_;
  const double busy = std::min(1.0, beside);
  const double decode = time_of(sequences(1.0 + beside_rank), sequences(1.0 + beside));
  // Prompts of others per decode step, and how many of them are read together.
  const double arrivals = beside * prompts_per_step_;
  const double hold = hold_ > 0.0 ? hold_ * hold_enough_ / (hold_enough_ + hold_ * arrivals) : 0.0;
  const double room = std::max(1.0, rules_.chunk_tokens - unused_ - (alone_ ? 0.0 : 1.0 + beside_rank));
  const double most = room * per_read_;
  const double together = std::min(ranks_ * most, arrivals_together(arrivals * (gather_ + hold)));
  const double fullest = fullest_of(together, most);
  const double prompt_step =
      alone_ ? time_of(prompts(fullest), prompts(together))
             : time_of(prompts(fullest) + sequences(beside_rank), prompts(together) + sequences(beside));
  const double share = arrivals / together;  // steps that read prompts, per decode step
  const double pieces = std::max(1.0, 1.0 / most);
  FormPoint point;
  double step = 0.0;  // mean time per decode step
  double wait = 0.0;  // twice, for the running step and for others
  if (alone_) {
    step = decode + share * prompt_step;
    point.prompt_share = share * prompt_step / step;
    wait = (1.0 - point.prompt_share) * gather_ * decode + point.prompt_share * prompt_step;
  } else {
    // Who decodes is in the steps of others' prompts too, so that these are no shorter than a step without them.
    const double both = std::max(prompt_step, decode);
    step = (1.0 - share) * decode + share * both;
    point.prompt_share = share * (both - decode) / step;
    wait = ((1.0 - share) * decode * decode + share * prompt_step * prompt_step) / step +
           hold * decode * (1.0 + 1.0 / together);
  }
  const double queue = alone_ ? 0.0 : chunk_queue(arrivals / (ranks_ * most)) * pieces / std::max(1.0, most);
  const double read = prompt_step * pieces;
  point.after = output_steps_ * step;
  point.after_alone = output_steps_ * decode;
  point.rate = n / point.after;
  point.reading = point.rate * std::max(read_time_, prompt_step / most);
  point.sequences = n;
  point.running = n + point.rate * read;
  point.wait = 0.5 * busy * wait + (queue > 0.0 ? queue * prompt_step : 0.0);
  point.before = point.wait + read;
  point.lag_step = decode;
  return point;
}

}  // namespace dfsweep::queueing
