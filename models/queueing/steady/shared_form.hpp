/// The closed form of servers that read prompts and decode answers. The unknown: sequences that decode on a rank.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/lanes.hpp"
#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/shared_values.hpp"
#include "models/queueing/steady/step_mixture.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// `Number`: double for one population, lanes for several of the same deployment.
/// Pre: answers of more than one token. Source of all formulas: docs/models/queueing.md
template <Steps S, class Number = double>
class SharedForm : private SharedValues {
 public:
  using Point = BasicFormPoint<Number>;

  /// `population`: most requests in a rank at once; infinite for an open stream. `cached`: share of carried tokens that
  /// are not read again. `known`: prompt_times() of a form that differs in its population alone, or null.
  SharedForm(const Deployment& deployment, const MeanRequest& request, const Number& population, double cached,
             const S& steps, const PromptTimes* known = nullptr)
      : SharedValues(deployment, request, cached), steps_(steps) {
    set_population(population, known);
  }
  /// The form of a population of the deployment and request that the values are of.
  SharedForm(const SharedValues& values, const Number& population, const S& steps, const PromptTimes& known)
      : SharedValues(values), steps_(steps) {
    set_population(population, &known);
  }

  [[nodiscard]] const BasicPromptTimes<Number>& prompt_times() const { return times_; }
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double held_tokens() const { return context_; }

  /// Whether `population` requests in a rank meet each other as an endless population does.
  [[nodiscard]] MaskOf<Number> is_as_endless(const Number& population) const {
    return population >= std::max(1.0, limit_);
  }

  /// The largest unknown: what runs with `population` requests in a rank, or the pole.
  [[nodiscard]] Number highest(const Number& population) const { return lesser(lesser(population, limit_), pole()); }
  /// Where prompts fill every chunk, so that only a queue without end comes there; infinite where that does not happen.
  [[nodiscard]] Number pole() const {
    if (alone_) return INFINITY;
    const Number read_of_step = others_ * read_ * prompts_per_step_;
    const double room = std::max(1.0, rules_.chunk_tokens - unused_ - 1.0);
    // Sequences that fill the chunk leave one token, or a whole prompt.
    const double left = rules_.prompts == PromptRule::whole ? read_ : 1.0;
    const Number filled = greater(room / (read_of_step + others_rank_), left / read_of_step);
    // Where less than one request decodes, prompts are read in steps without answers too.
    return greater(filled, 1.0 / (ranks_ * others_));
  }

  /// A number that decodes near that of closed users: as if each took as long as alone, and well below what is full.
  [[nodiscard]] Number first_guess(const Number& population, const Number& away) const {
    constexpr double below = 0.9;
    const Number share = times_.lone_answer / (times_.lone_answer + times_.lone_prompt + away);
    return lesser(population * share, below * lesser(limit_, pole()));
  }

  /// What else limits the rate of a rank.
  [[nodiscard]] static double rate_limit() { return INFINITY; }

  /// Whether prompts gather before they are read.
  [[nodiscard]] bool gathers() const { return hold_ > 0.0 || gather_ > 1.0; }
  /// The same where they do not, because they wait for a place, and start as soon as one is free.
  [[nodiscard]] SharedForm without_gathering() const {
    SharedForm form = *this;
    form.hold_ = 0.0;
    form.gather_ = 1.0;
    return form;
  }

  /// Pre: 0 < n <= pole().
  [[nodiscard]] Point at(const Number& n) const;
  /// A near point, as that of this rate.
  [[nodiscard]] static Point at_rate(Point point, const Number& rate) {
    point.rate = rate;
    return point;
  }

  /// Requests of a rank's users whose prompts are read as they come, when all users send at once.
  [[nodiscard]] Number at_once(const Number& population) const { return lesser(population, limit_); }
  /// Of `count` prompts of a rank that come at once. But with `alone`, a prompt waits while those before it decode: on
  /// average over the wait a third of the others, and no more than are read while one answer is decoded.
  [[nodiscard]] BasicFirstWave<Number> first_wave(const Number& count, double gap) const {
    const double chunk = std::max(1.0, rules_.chunk_tokens - unused_);
    const Number beside =
        alone_ ? Number(0.0) : lesser(greater(0.0, count - 1.0) / 3.0, chunk * output_steps_ / (output_steps_ + read_));
    const Number most = prompts_in(chunk - beside);
    const Number pieces = greater(1.0, 1.0 / most);
    const Number at_once = clamped(count, 1.0, greater(1.0, most));
    const Load rank = prompts(at_once / pieces) + Load{.sequences = beside, .context = beside * prompt_};
    return first_wave_of(count, at_once, pieces * time_of(rank, ranks_with(count) * rank), ranks_ * gap);
  }

 private:
  using Load = BasicStepLoad<Number>;

  void set_population(const Number& population, const PromptTimes* known) {
    const Number members = lesser(population, limit_);
    others_rank_ = 1.0 - 1.0 / greater(1.0, members);
    others_ = 1.0 - 1.0 / greater(1.0, ranks_ * members);
    times_ = prompt_times_of(members, known);
  }

  /// Ranks of a replica that have a request, with this many of them for each rank: at least one.
  [[nodiscard]] Number ranks_with(const Number& requests) const { return greater(1.0, ranks_ * lesser(1.0, requests)); }
  template <class Count>
  [[nodiscard]] BasicStepLoad<Count> sequences(const Count& count) const {
    return {.sequences = count, .context = count * context_};
  }
  template <class Count>
  [[nodiscard]] BasicStepLoad<Count> prompts_beside(const Count& count, const Count& decoding) const {
    return {count * read_, count * pairs_, count, decoding, decoding * context_};
  }
  template <class Count>
  [[nodiscard]] BasicStepLoad<Count> prompts(const Count& count) const {
    return {.prompt_tokens = count * read_, .prompt_pairs = count * pairs_, .prompts = count};
  }
  template <class Count>
  [[nodiscard]] Count time_of(const BasicStepLoad<Count>& rank, const BasicStepLoad<Count>& all) const {
    return step_seconds(steps_, rank, all);
  }
  /// Prompts that fill `tokens` of a chunk; a whole one is read by one step, however long it is.
  template <class Tokens>
  [[nodiscard]] Tokens prompts_in(const Tokens& tokens) const {
    const Tokens most = greater(1.0, tokens) * per_read_;
    return rules_.prompts == PromptRule::whole ? greater(1.0, most) : most;
  }
  /// That one more prompt takes, where a prompt alone takes this time.
  [[nodiscard]] double one_more(double lone) const;
  [[nodiscard]] double longer_steps(double lone_answer) const;
  [[nodiscard]] BasicPromptTimes<Number> prompt_times_of(const Number& members, const PromptTimes* known) const;
  /// Prompts of the rank with most of them, when `together` are read by all ranks and at most `most` fit one: about the
  /// largest of several Poisson numbers, and a whole prompt at least.
  [[nodiscard]] Number fullest_of(const Number& together, const Number& most) const {
    if (ranks_ <= 1.0) return together;
    const Number spread = together / ranks_ + square_root(spread_ * together);
    return lesser(lesser(most, together), greater(spread, 1.0));
  }

  using Mixture = StepMixture<Number>;
  [[nodiscard]] Mixture mixture_of(const Number& n) const;
  /// Times of steps with `together` prompts, `fullest` of them of one rank, beside sequences of others. Where these are
  /// fewer than one, some steps have none of them.
  void set_reading(Mixture& mix, const Number& fullest, const Number& together, const Number& beside_rank,
                   const Number& beside) const;
  /// Of prompts that are read whole, one for each of several ranks, the share of the longest that a step reads.
  [[nodiscard]] Number longest_of(const Mixture& mix) const {
    if (!(longer_ > 0.0)) return 0.0;
    return (1.0 + longer_ * (lesser(ranks_, mix.at_once) - 1.0)) / mix.pieces;
  }
  /// Prompts that are read at once. With `alone`, no answer ends while prompts are read, so that those come together
  /// that came since the last ones, and ranks that have read theirs stand still until the fullest one has.
  [[nodiscard]] Number at_once_of(const Mixture& mix, const Number& most) const {
    const Number gathered = mix.arrivals * (gather_ + mix.hold);
    if (!alone_) return lesser(mix.places, arrivals_together<Number>(gathered * mix.pieces));
    const Number together = arrivals_together(gathered);
    if (ranks_ <= 1.0) return lesser(mix.places, together);
    const Number steps = fullest_of(together, INFINITY) / greater(1.0, most);
    return lesser(mix.places, together / greater(1.0, steps));
  }

  /// Requests of a rank, below which they could read more by `at` than there is time for.
  static constexpr double few = 64.0;

  const S& steps_;
  Number others_rank_ = 0.0;  ///< share of the sequences of a rank that a member of it sees beside itself
  Number others_ = 0.0;       ///< the same of a replica
  BasicPromptTimes<Number> times_;
};

template <Steps S, class Number>
double SharedForm<S, Number>::one_more(double lone) const {
  const double most = ranks_ * std::max(1.0, (rules_.chunk_tokens - unused_) * per_read_);
  if (most <= 1.0) return 0.0;
  const double fullest = most / ranks_;
  return (time_of(prompts(fullest), prompts(most)) - lone) / (most - 1.0);
}

template <Steps S, class Number>
double SharedForm<S, Number>::longer_steps(double lone_answer) const {
  if (alone_) return 1.0;
  const double count = prompts_in(std::max(1.0, rules_.chunk_tokens - unused_));
  const StepLoad rank = prompts(count);
  const StepLoad all = prompts(ranks_ * count);
  const double both = time_of(rank + sequences(1.0), all + sequences(1.0));
  return std::max(lone_answer, both) / time_of(rank, all);
}

template <Steps S, class Number>
BasicPromptTimes<Number> SharedForm<S, Number>::prompt_times_of(const Number& members, const PromptTimes* known) const {
  BasicPromptTimes<Number> times;
  times.members = members;
  if (known != nullptr) {
    times.one_more = known->one_more;
    times.longer_steps = known->longer_steps;
    times.lone_prompt = known->lone_prompt;
    times.lone_answer = known->lone_answer;
  } else {
    const double lone = time_of(prompts(1.0), prompts(1.0));
    const double answer = time_of(sequences(1.0), sequences(1.0));
    times.one_more = one_more(lone);
    times.longer_steps = longer_steps(answer);
    times.lone_prompt = lone * std::max(1.0, 1.0 / prompts_in(rules_.chunk_tokens - unused_));
    times.lone_answer = output_steps_ * answer;
  }
  MaskOf<Number> are_few = members < few;
  if (known != nullptr) {
    times.least = choose(members == known->members, Number(known->least), 0.0);
    are_few = are_few & (members != known->members);
  }
  if (any(are_few)) {
    const Number at_once = lesser(greater(1.0, members), prompts_in(rules_.chunk_tokens - unused_));
    const Number time = time_of(prompts(at_once), ranks_with(members) * prompts(at_once));
    times.least = choose(are_few, time / (at_once * lesser(1.0, members)), times.least);
  }
  return times;
}

template <Steps S, class Number>
typename SharedForm<S, Number>::Mixture SharedForm<S, Number>::mixture_of(const Number& n) const {
  const Number others = ranks_ * n * others_;
  const Number beside = met_in_steps<Number>(others, times_.longer_steps, decoding_share_);
  const Number beside_rank = choose(beside < others, beside * (others_rank_ / (ranks_ * others_)), n * others_rank_);
  Mixture mix;
  mix.busy = lesser(1.0, others);
  mix.decode = time_of(sequences(1.0 + beside_rank), sequences(1.0 + beside));
  mix.arrivals = others * prompts_per_step_;
  // Prompts wait for others only while something decodes.
  if (hold_ > 0.0)
    mix.hold = lesser(output_steps_ * busy_growth<Number>(others),
                      hold_ * hold_enough_ / (hold_enough_ + hold_ * mix.arrivals));
  // Prompts that fill the chunk of a rank.
  const Number decoding = alone_ ? Number(0.0) : 1.0 + beside_rank;
  const Number most = prompts_in<Number>(rules_.chunk_tokens - unused_ - decoding);
  mix.chunks = 1.0 / most;
  mix.pieces = greater(1.0, mix.chunks);
  mix.places = ranks_ * greater(1.0, most);
  mix.per_place = per_rank_ * lesser(1.0, mix.chunks);
  mix.at_once = at_once_of(mix, most);
  const Number together = any(mix.pieces > 1.0) ? mix.at_once / mix.pieces : mix.at_once;
  mix.per_together = 1.0 / together;
  const Number fullest = greater(fullest_of(together, most), longest_of(mix));
  set_reading(mix, fullest, together, beside_rank, beside);
  mix.share = mix.arrivals * mix.per_together;
  return mix;
}

template <Steps S, class Number>
void SharedForm<S, Number>::set_reading(Mixture& mix, const Number& fullest, const Number& together,
                                        const Number& beside_rank, const Number& beside) const {
  if (alone_) {
    mix.read = mix.both = mix.reading = time_of(prompts(fullest), prompts(together));
    return;
  }
  const MaskOf<Number> are_few = beside < 1.0;
  if (!any(are_few)) {
    mix.read = time_of(prompts_beside(fullest, beside_rank), prompts_beside(together, beside));
    mix.both = mix.reading = greater(mix.read, mix.decode);
    return;
  }
  const Number share = lesser(1.0, beside);
  const Number per_share = choose((beside > 0.0) & are_few, 1.0 / share, Number(1.0));
  const Number with = time_of(prompts_beside<Number>(fullest, beside_rank * per_share),
                              prompts_beside<Number>(together, beside * per_share));
  const Number without = time_of(prompts(fullest), prompts(together));
  mix.read = share * with + (1.0 - share) * without;
  mix.both = greater(with, mix.decode);
  mix.reading = share * mix.both + (1.0 - share) * without;
}

/// Compiled as one function, because solvers spend their time here.
template <Steps S, class Number>
[[gnu::flatten]] BasicFormPoint<Number> SharedForm<S, Number>::at(const Number& n) const {
  const Mixture mix = mixture_of(n);
  Point point;
  const Number shared = alone_ ? mix.share : lesser(1.0, mix.share);  // of the steps of who decodes
  const Number decodes = alone_ ? Number(1.0) : 1.0 - shared;
  const Number step = decodes * mix.decode + shared * mix.both;  // mean time per decode step
  const Number per_step = 1.0 / step;
  const Number reads = mix.share * mix.reading * per_step;  // share of the time in which steps read prompts
  // Of the step, or of the phase with `alone`, that runs when a prompt comes; and in which prompts gather.
  const Number pause = alone_ ? 0.5 * (1.0 - reads) * gather_ * mix.decode : Number(0.0);
  const Number rest = alone_ ? pause + 0.5 * reads * mix.read
                             : 0.5 * (decodes * mix.decode * mix.decode + shared * mix.read * mix.read) * per_step;
  point.prompt_share = alone_ ? reads : shared * (mix.both - mix.decode) * per_step;
  const Number held = 0.5 * mix.hold * mix.decode * (1.0 + mix.per_together);
  // Of the time, the share that full chunks would take; prompts that find them full wait for their turn.
  const Number full = reads * (mix.at_once * mix.per_place);
  const Number of_chunk = ranks_ * mix.per_place;
  const MaskOf<Number> has_end = full < 1.0;
  const Number not_full = choose(has_end, full / (1.0 - full), INFINITY);
  const Number turns = 0.5 * full * varied_ * (not_full * mix.pieces * of_chunk + mix.pieces - 1.0);
  const Number gathered = choose(has_end, pause * not_full * of_chunk, 0.0);
  // Behind others a prompt begins within a chunk, and ends with a later one.
  const Number cut = rules_.prompts == PromptRule::whole ? Number(0.0) : full * clamped(mix.chunks - 0.5, 0.0, 0.5);
  // A prompt meets those that come in the same step, which is longer than the mean one.
  const Number met = greater(0.0, lesser(mix.places, 1.0 + 2.0 * mix.arrivals * rest * per_step) - mix.at_once);
  const Number read = mix.read * (mix.pieces + cut) + times_.one_more * met;
  point.wait = mix.busy * (rest + held) + gathered + turns * mix.read;
  point.before = point.wait + read;
  point.rate = n * (prompts_per_step_ * per_step);
  const Number behind =
      alone_ ? left_in_front(mix, per_step, point.before)
             : left_behind<Number>(mix, per_step, full, ranks_ * point.rate * point.before, output_steps_);
  point.after = output_steps_ * step + behind;
  point.after_alone = output_steps_ * mix.decode;
  point.reading = point.rate * greater(times_.least, mix.reading * mix.chunks);
  point.sequences = n + point.rate * behind;
  point.running = point.sequences + point.rate * read;
  point.lag_step = mix.decode;
  point.full = full;
  return point;
}

}  // namespace dfsweep::queueing
