/// Solves a closed form for closed users.
#pragma once

#include <cmath>
#include <type_traits>

#include "models/lanes.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/root.hpp"
#include "models/queueing/steady/steady_load.hpp"

namespace dfsweep::queueing {

/// A point of a form, and its unknown.
template <class Number>
struct BasicSolvedPoint {
  BasicFormPoint<Number> point;
  Number z = 0.0;
};
using SolvedPoint = BasicSolvedPoint<double>;

/// Arguments of a root-finder, and the points there.
template <class Form, class Number, class Excess>
struct LastPoints {
  /// The excess at z, whose point is the last one; the one before stays in some lanes.
  [[nodiscard]] Number at(const Number& z, const MaskOf<Number>& stays) {
    before = chosen_point<Number>(stays, before, last);
    last = form.at(z);
    return excess(last, z);
  }
  const Form& form;
  const Excess& excess;
  BasicFormPoint<Number> before;
  BasicFormPoint<Number> last = before;
};

/// The way from the last argument but one to the root, over that to the last one. The root is near the last one; a
/// longer way along the line would be no better than that.
template <class Number>
[[nodiscard]] Number share_of_root(const RootBracket<Number>& root) {
  constexpr double farthest = 2.0;
  return clamped((root.root - root.before) / (root.last - root.before), 0.0, farthest);
}

/// The point where `excess(point, z)` is 0: it grows with z and is positive at the start, whose point is `at_high`, and
/// which is not looked at where it is the pole. Between the last two points that are looked at, members are taken as
/// linear, which is as exact as solving on. `wanted`: the lanes that are solved.
template <class Form, class Number, class Excess>
[[nodiscard]] BasicSolvedPoint<Number> solved(const Form& form, const RootStart<Number>& start,
                                              const BasicFormPoint<Number>& at_high, const Excess& excess,
                                              FarFromRoot shape = FarFromRoot::proportion,
                                              MaskOf<Number> wanted = MaskOf<Number>(true)) {
  constexpr double tolerance = 1e-5;
  LastPoints<Form, Number, Excess> points{form, excess, at_high};
  const auto at = [&](const Number& z, const MaskOf<Number>& stays) { return points.at(z, stays); };
  const RootBracket<Number> root = growing_root(at, start, tolerance, shape, wanted);
  return {between(points.before, points.last, share_of_root(root)), clamped(root.root, 0.0, start.high)};
}

/// Seconds of a request at the engine, in a steady state.
template <class Number>
struct SteadyWaits {
  Number before = 0.0;  ///< until the first token
  Number wait = 0.0;    ///< of these, until a step handles it
  Number place = 0.0;   ///< of these, for a place
  Number turn = 0.0;    ///< of these, for prompts of others, where these take the whole time
};

/// Means over the requests of closed users, the first of each included.
template <class Number>
struct SteadyMix {
  BasicFormPoint<Number> point;
  Number before = 0.0;
  Number wait = 0.0;
};

/// The first wave: all users send at once, and those who start read before they decode; so their prompts, which later
/// hold up answers, hold up first tokens, and of the rest no more holds up an answer than the half of the wave that
/// follows its prompt. The others wait for a place, those in the middle half as long as the last.
template <class Form, class Number>
[[nodiscard]] SteadyMix<Number> mix_of(const FormSetting& setting, const Form& form,
                                       const BasicFormPoint<Number>& point, const SteadyWaits<Number>& later,
                                       const Number& population) {
  const Number at_once = form.at_once(population);
  // The processor need not wait for the rate where no request waits for a place.
  const MaskOf<Number> waits = later.place > 0.0;
  const Number started_users =
      any(waits) ? choose(waits, population - point.rate * later.place, population) : population;
  // Of a rank; where there are fewer users than ranks, less than one.
  const Number first = greater(lesser(1.0, population), lesser(started_users, at_once));
  const BasicFirstWave<Number> wave = form.first_wave(first, setting.deployment.client.serial.value());
  const double w = setting.request.first_share;
  const Number started = w * lesser(1.0, first / population);
  SteadyMix<Number> mix;
  mix.point = point;
  const Number held_up = point.after - point.after_alone;
  mix.point.after -= started * lesser(held_up, greater(wave.wait, held_up - wave.wait));
  const Number held = choose(point.wait < INFINITY, point.after + point.before - point.wait, point.after);
  const Number last = (population / at_once - 1.0) * greater(held, wave.last);
  const Number half = 0.5 * greater(later.place, last - (later.wait - later.place));
  const Number place = (1.0 - w) * later.place + w * half;
  mix.before = started * (wave.wait + wave.read) + (1.0 - started) * (later.before - later.place) + place;
  mix.wait = started * wave.wait + (1.0 - started) * (later.wait - later.place) + place;
  // Where all begin to wait for their turn at once, the mean one waits half as long as the last.
  const Number sooner = 0.5 * (w - started) * later.turn;
  mix.before -= sooner;
  mix.wait -= sooner;
  return mix;
}

/// The larger of two shares: of the running limit, and of the time that reading prompts takes. Above 1 the point
/// exceeds a limit: a form describes what one request meets, and few requests together may read more than that.
template <class Form, class Number>
[[nodiscard]] Number use_of_limits(const Form& form, const BasicFormPoint<Number>& at) {
  return greater(at.running / form.limit(), at.reading);
}

/// 1 where a use reaches its limit, 0 from a fifth of a per cent below.
template <class Number>
[[nodiscard]] inline Number share_at_limit(const Number& use) {
  constexpr double far = 0.99;
  const MaskOf<Number> is_far = use < far;
  if (!any(!is_far)) return 0.0;
  return choose(is_far, Number(0.0), clamped(1.0 + 1e3 * relative_excess(use, 1.0), 0.0, 1.0));
}

/// Where the running limit is reached, or prompts take the whole time. Pre: room for a request.
template <class Form>
[[nodiscard]] auto full_point_of(const Form& form) {
  const auto high = form.highest(INFINITY);
  using Number = std::remove_const_t<decltype(high)>;
  const BasicFormPoint<Number> point = form.at(high);
  const auto excess = [&](const BasicFormPoint<Number>& at, const Number&) {
    return relative_excess(use_of_limits(form, at), 1.0);
  };
  const Number at_high = excess(point, high);
  const MaskOf<Number> exceeds = at_high > 0.0;
  BasicSolvedPoint<Number> full{point, high};
  if (!any(exceeds)) return full;
  const Number proportion = high * (1.0 - at_high) / (1.0 + at_high);
  const BasicSolvedPoint<Number> root =
      solved<Form, Number>(form, {high, at_high, proportion}, point, excess, FarFromRoot::proportion, exceeds);
  return BasicSolvedPoint<Number>{chosen_point<Number>(exceeds, root.point, point), choose(exceeds, root.z, high)};
}

/// The same point in all lanes.
template <class Number>
[[nodiscard]] BasicSolvedPoint<Number> in_all_lanes(const SolvedPoint& at) {
  return {mixed<Number>(at.point, at.point, [](double x, double) { return Number(x); }), at.z};
}

/// Users of a rank at a point over those that there are, less 1, and how far its use of limits is above 1; the first is
/// taken times the share of the time that chunks have room, which it is over near the pole, so that it bends little.
/// `per_limit`: 1 / running limit.
template <class Number>
[[nodiscard]] Number excess_of_users(const BasicFormPoint<Number>& at, const Number& users, double per_limit) {
  const Number room = 1.0 - at.full;
  const Number use = greater(at.running * per_limit, at.reading);
  return choose((room > 0.0) & (users < 1e300), greater(room * (users - 1.0), use - 1.0), INFINITY);
}

/// The point of closed users: with `population` of them a rank, n + rate (before + away) = population, unless the
/// running limit binds, or prompts take the whole time. `away`: s between a request's end and the next one at the
/// engine. `full`: full_point_of() an endless population, or null; the answer is the same.
template <class Form, class Number>
[[nodiscard]] BasicFormPoint<Number> point_of_users(const Form& form, const Number& population, const Number& away,
                                                    const SolvedPoint* full) {
  using Point = BasicFormPoint<Number>;
  const Number per_population = 1.0 / population;
  const auto users_at = [&](const Point& at) { return at.rate * (at.before + at.after + away) * per_population; };
  const double per_limit = 1.0 / form.limit();
  const auto excess = [&](const Point& at, const Number&) { return excess_of_users(at, users_at(at), per_limit); };
  BasicSolvedPoint<Number> high{{}, form.highest(population)};
  Number guess = form.first_guess(population, away);
  // Where all may run at once, users are no fewer than those who run, so that the root is not above these.
  MaskOf<Number> exceeds = true;
  const MaskOf<Number> is_endless = form.is_as_endless(population);
  const MaskOf<Number> may_wait = (!is_endless) & (population > form.limit());
  if (any(may_wait)) high.point = form.at(high.z);
  if (any(is_endless)) {
    const BasicSolvedPoint<Number> endless = full != nullptr ? in_all_lanes<Number>(*full) : full_point_of(form);
    high.point = chosen_point<Number>(is_endless, endless.point, high.point);
    high.z = choose(is_endless, endless.z, high.z);
  }
  const MaskOf<Number> is_known = is_endless | may_wait;
  if (any(is_known)) {
    const Number users = users_at(high.point);
    exceeds = (!is_known) | (users > 1.0);
    // The root of the line from 0.
    guess = choose(is_known & (users < 1e300), high.z / (high.point.full + (1.0 - high.point.full) * users), guess);
    if (!any(exceeds)) return high.point;
  }
  LastPoints<Form, Number, decltype(excess)> points{form, excess, high.point};
  const auto at = [&](const Number& z, const MaskOf<Number>& stays) { return points.at(z, stays); };
  const RootBracket<Number> root = root_from_zero<Number>(at, high.z, guess, exceeds);
  return chosen_point<Number>(exceeds, on_line(points.before, points.last, share_of_root(root)), high.point);
}

/// Where closed users meet, and how long they wait for their front there: 0 where it lets through what the engine does,
/// else what leaves the rate of the front.
template <class Number>
struct UsersPoint {
  BasicFormPoint<Number> point;
  Number front_wait = 0.0;
};
template <class Form, class Number>
[[nodiscard]] UsersPoint<Number> point_behind_front(const FormSetting& setting, const Form& form,
                                                    const Number& population, const SolvedPoint* full) {
  constexpr int most_tries = 40;
  constexpr double exact = 1e-6;
  const double away = setting.front + setting.request.think.value();
  UsersPoint<Number> found;
  MaskOf<Number> is_held_up = false;
  // The longer they wait, the emptier the engine, and the shorter its times: the tries rise to the answer. Lanes that
  // have theirs keep their wait, with which they meet at the same point.
  for (int tries = 0;; ++tries) {
    found.point = point_of_users<Form, Number>(form, population, away + found.front_wait, full);
    if (tries == 0) is_held_up = found.point.rate > setting.front_rate();
    if (!any(is_held_up) || tries == most_tries) return found;
    const Number cycle = population / setting.front_rate();
    const Number left = greater(0.0, cycle - (found.point.before + found.point.after + away));
    const Number wait = choose(is_held_up, left, found.front_wait);
    is_held_up = is_held_up & !(magnitude(wait - found.front_wait) <= exact * cycle);
    found.front_wait = wait;
  }
}

/// Closed users. What point_of_users() does not have room for waits as long as Little's law asks. `full`: as there.
/// Pre: room for a request.
template <class Form, class Number>
[[nodiscard]] BasicSteadyLoad<Number> solve_users(const FormSetting& setting, const Form& form, const Number& users,
                                                  const SolvedPoint* full) {
  const Number population = users / setting.ranks;
  const double think = setting.request.think.value();
  const auto [point, front_wait] = point_behind_front(setting, form, population, full);
  const Number away = setting.front + front_wait + think;
  // Little's law gives the time before the first token exactly, where it is long: there it hardly depends on the point.
  const Number by_little = population / point.rate - (point.after + away);
  const MaskOf<Number> is_long_queue = by_little > 0.1 * (point.after + away);
  // What the point does not explain, beyond the error of a root, is the wait for a place where the running limit binds,
  // else for prompts.
  const Number unexplained = greater(0.0, by_little - point.before);
  const Number place_share = share_at_limit<Number>(point.running / form.limit());
  const Number reading_share = share_at_limit(point.reading);
  const Number missing = clamped(5e3 * (unexplained * point.rate / population - 2e-5), 0.0, 1.0);
  const Number bound = greater(greater(place_share, reading_share), missing);
  const Number before = choose(is_long_queue, by_little, point.before + bound * unexplained);
  const Number wait = greater(0.0, before - greater(0.0, point.before - point.wait));
  const Number place_wait = place_share * greater(0.0, before - point.before);
  const SteadyMix<Number> mix =
      mix_of(setting, form, point, SteadyWaits<Number>{before, wait, place_wait, reading_share * (wait - place_wait)},
             population);
  // The first wave has its turns at the fronts in its waits.
  BasicSteadyLoad<Number> load =
      behind_front<Number>(load_of(setting, mix.point, mix.before, mix.wait, form.held_tokens()),
                           (1.0 - setting.request.first_share) * front_wait);
  // Users who end before others leave places empty, so that no more is served than in the steady state.
  const Number cycle = load.latency.value() + think;
  load.request_rate = lesser(users / cycle, setting.ranks * point.rate);
  // Sequences of a rank by Little's law, per request and second: no more than decode in the steady state, beside which
  // the times are those of one.
  const Number after = choose(point.after > 0.0, mix.point.after / point.after, 1.0);
  const Number decoding = point.sequences / (setting.ranks * point.rate) * after;
  load.request_rate = choose(decoding > 0.0, lesser(load.request_rate, point.sequences / decoding), load.request_rate);
  load.users = load.request_rate * cycle;
  const Number running = lesser(load.request_rate * decoding, population);
  const Number share = choose(point.sequences > 0.0, running / point.sequences, 1.0);
  load.running = load.running * share;
  load.cache_use = lesser(1.0, share * load.cache_use);
  return load;
}

}  // namespace dfsweep::queueing
