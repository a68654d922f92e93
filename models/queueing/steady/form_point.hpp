/// What a closed form says about one operating point of a deployment, for each rank that decodes.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/lanes.hpp"
#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/mean_request.hpp"

namespace dfsweep::queueing {

/// A form describes a deployment by one unknown z > 0, with which every member grows, up to `highest(population)`;
/// times in seconds. `pole()`: the z that only queues without end reach; `limit()`: requests that may run on a rank;
/// `rate_limit()`: the rate of a rank from which on the wait is infinite; `prompt_times()`: what another form of the
/// same need not compute again.
template <class Number>
struct BasicFormPoint {
  Number rate = 0.0;          ///< requests per second
  Number running = 0.0;       ///< requests that count towards the running limit
  Number sequences = 0.0;     ///< that decode
  Number wait = 0.0;          ///< of a received request until a step handles it; infinite beyond what prompts allow
  Number before = 0.0;        ///< from arrival at the engine to the first token
  Number after = 0.0;         ///< from the first token to the last
  Number after_alone = 0.0;   ///< the same without prompts of others
  Number lag_step = 0.0;      ///< a step that only decodes
  Number prompt_share = 0.0;  ///< share of the time that prompts take
  Number full = 0.0;          ///< share of the time that full chunks take as a request meets it; at 1 waits have no end
  Number reading = 0.0;       ///< time that full chunks of all prompts take over the time there is; beyond 1 they queue
};
using FormPoint = BasicFormPoint<double>;

/// The point whose members are mix(of a, of b).
template <class To, class From, class Mix>
[[nodiscard]] inline BasicFormPoint<To> mixed(const BasicFormPoint<From>& a, const BasicFormPoint<From>& b,
                                              const Mix& mix) {
  return {mix(a.rate, b.rate),
          mix(a.running, b.running),
          mix(a.sequences, b.sequences),
          mix(a.wait, b.wait),
          mix(a.before, b.before),
          mix(a.after, b.after),
          mix(a.after_alone, b.after_alone),
          mix(a.lag_step, b.lag_step),
          mix(a.prompt_share, b.prompt_share),
          mix(a.full, b.full),
          mix(a.reading, b.reading)};
}

/// `a` in lanes that fulfil the condition, else `b`.
template <class Number>
[[nodiscard]] inline BasicFormPoint<Number> chosen_point(const MaskOf<Number>& condition,
                                                         const BasicFormPoint<Number>& a,
                                                         const BasicFormPoint<Number>& b) {
  if (!any(condition)) return b;
  return mixed<Number>(a, b, [&](const Number& x, const Number& y) { return choose(condition, x, y); });
}

/// The point at the share `share` of the way from `a` to `b`; 1 and beyond what is finite gives `b`.
template <class Number>
[[nodiscard]] inline BasicFormPoint<Number> between(const BasicFormPoint<Number>& a, const BasicFormPoint<Number>& b,
                                                    const Number& share) {
  const MaskOf<Number> is_inside =
      (share != 1.0) & (a.wait < INFINITY) & (b.wait < INFINITY) & (magnitude(share) < INFINITY);
  if (!any(is_inside)) return b;
  // A line through points that are far apart says less than the nearer one.
  constexpr double apart = 0.1;
  const Number beyond = share - 1.0;
  return mixed<Number>(a, b, [&](const Number& x, const Number& y) {
    const Number way = y - x;
    return choose(is_inside & !(magnitude(way) > apart * magnitude(y)), y + beyond * way, y);
  });
}

/// The same where all members follow the line.
template <class Number>
[[nodiscard]] inline BasicFormPoint<Number> on_line(const BasicFormPoint<Number>& a, const BasicFormPoint<Number>& b,
                                                    const Number& share) {
  const Number beyond = share - 1.0;
  const MaskOf<Number> is_inside = (beyond != 0.0) & (a.wait < INFINITY) & (b.wait < INFINITY);
  return mixed<Number>(a, b,
                       [&](const Number& x, const Number& y) { return choose(is_inside, y + beyond * (y - x), y); });
}

/// Times of prompts that do not depend on the point, s.
template <class Number>
struct BasicPromptTimes {
  double one_more = 0.0;      ///< that one more prompt of a step takes
  double longer_steps = 1.0;  ///< a step of a full chunk of prompts with an answer over one without, at least 1
  Number members = 0.0;       ///< requests that there can be in a rank; below 1 where there are more ranks than users
  Number least = 0.0;         ///< of a prompt where as many as there can be are read at once; 0: no bound
  double lone_prompt = 0.0;   ///< of a request that is alone
  double lone_answer = 0.0;   ///< of its decode steps
};
using PromptTimes = BasicPromptTimes<double>;

/// Mean times of prompts that come at once, s.
template <class Number>
struct BasicFirstWave {
  Number wait = 0.0;
  Number read = 0.0;  ///< and what follows until the first token
  Number last = 0.0;  ///< until the last prompt is read
};
using FirstWave = BasicFirstWave<double>;

/// Times of `prompts` that come at once, each at least `gap` after the one before, where `at_once` of them are read by
/// a step of this time: the mean prompt waits for half of the others that are read before it, or come before it.
template <class Number>
[[nodiscard]] inline BasicFirstWave<Number> first_wave_of(const Number& prompts, const Number& at_once,
                                                          const Number& step, double gap) {
  const Number read = greater(0.0, prompts - at_once) * (step / at_once);
  const Number come = greater(0.0, prompts - 1.0) * gap;
  return {0.5 * greater(read, come), step, greater(read + step, come)};
}

/// Mean number of arrivals, given one or more, if their number is Poisson with mean x.
///
///     x / (1 - exp(-x)) = x/2 + (x/2) coth(x/2)
///
/// by an approximation of (y coth y)^2 - y^2 = (y / sinh y)^2 whose result is within 0.5 %. Source:
/// docs/models/queueing.md
template <class Number>
[[nodiscard]] inline Number arrivals_together(const Number& x) {
  const Number y2 = 0.25 * x * x;
  return 0.5 * x + square_root(y2 + 1.0 / (1.0 + y2 * (1.0 / 3.0 + 2.0 / 45.0 * y2)));
}

/// Square of the mean of the largest of `count` standard normal numbers, within 3 %; 0 for one:
///
///     2 ln^2 A / (ln A + 2.2)
///
/// Source: docs/models/queueing.md
[[nodiscard]] inline double squared_excess_of_largest(double count) {
  if (count <= 1.0) return 0.0;
  const double log = std::log(count);
  return 2.0 * log * log / (log + 2.2);
}

/// Steps of waiting for a place in later chunks, where chunks are full to the share `full` and arrivals come one by
/// one; with the wait for the running step it is that of a queue with constant service (M/D/1).
///
///     full^2 / (2 (1 - full))                                     (docs/models/queueing.md)
[[nodiscard]] inline double chunk_queue(double full) {
  return full < 1.0 ? full * full / (2.0 * (1.0 - full)) : INFINITY;
}

/// Sequences of a rank that the engine lets run, fractional; below 1 where not one fits.
[[nodiscard]] inline double running_limit(const Deployment& deployment, const MeanRequest& request) {
  constexpr double most_sequences = 1e7;  // where nothing else limits
  const EngineRules& rules = deployment.rules;
  const double share = rules.cache == CacheRule::recompute ? std::max(rules.answer_share, 0.5) : rules.answer_share;
  const double answer = rules.answers == AnswerRule::largest ? std::max(request.output, share * request.largest_output)
                                                             : share * request.output;
  const double room = deployment.cache_tokens - request.shared;
  const double own = request.prompt - request.shared;
  const double fit = room / (own + answer);
  // Long answers stay in the cache longer, so a request finds answers there that are longer than the mean.
  const double met = rules.answers == AnswerRule::largest ? answer : answer * (1.0 + request.output_variation_squared);
  // The first that does not fit leaves room for half of itself on average.
  const double left = fit < 1.0 ? fit : std::max(1.0, room / (own + met) - 0.5);
  return std::min({rules.running_limit, left, most_sequences});
}

}  // namespace dfsweep::queueing
