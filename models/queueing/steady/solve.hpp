/// Solves a closed form for closed users, and what its answers have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/root.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// What drives a deployment.
enum class DemandKind {
  users,  ///< closed: users of the whole deployment
  rate,   ///< open: requests per second of the whole deployment
  share,  ///< open: share of the highest rate
};
/// Pre: value > 0.
struct Demand {
  DemandKind kind = DemandKind::users;
  double value = 1.0;
};

enum class SteadyStatus : std::uint8_t {
  ok,
  saturated,  ///< the rate is what the deployment can do, to 0.001 %, or more; only `highest_rate` is
              ///< valid
  no_room,    ///< not one request fits the cache; nothing is valid
};

/// Means over all requests, those of the first wave included. users = request_rate (latency + think).
struct SteadyLoad {
  SteadyStatus status = SteadyStatus::ok;
  Seconds first_token;        ///< time to first token
  Seconds token_time;         ///< time per output token after the first; 0 where answers have one token
  Seconds latency;            ///< first_token + (output - 1) token_time
  Seconds waiting_time;       ///< from arrival at the engine to the first step that handles the request
  double request_rate = 0.0;  ///< 1/s of the deployment
  double highest_rate = std::numeric_limits<double>::quiet_NaN();  ///< 1/s; open demands only
  double users = 0.0;                                              ///< in the deployment or thinking
  double running = 0.0;                                            ///< sequences that decode on a rank
  double cache_use = 0.0;     ///< share of the cache of a rank that they hold; 0 where it is unlimited
  double prompt_share = 0.0;  ///< share of the time that prompts take
};

/// Limits on means; infinite where there is no limit.
struct Limits {
  Seconds first_token{std::numeric_limits<double>::infinity()};
  Seconds token_time{std::numeric_limits<double>::infinity()};
  bool operator==(const Limits&) const = default;
};

/// What all forms share: a deployment of `ranks` ranks that decode, and its clients.
struct FormSetting {
  const MeanRequest& request;
  const Deployment& deployment;
  double ranks = 1.0;   ///< of all replicas
  double front = 0.0;   ///< s, what clients add to a request
  double fronts = 1.0;  ///< of all replicas that read prompts

  /// Requests per second and rank that the fronts let through.
  [[nodiscard]] double front_rate() const { return fronts / (ranks * deployment.client.serial.value()); }
  /// Wait of an open stream of `rate` requests per second and rank for its front: requests take turns at the fronts, so
  /// that each is a queue of constant service s whose arrivals vary 1/fronts as much (Kingman),
  ///
  ///     c^2 / fronts s u / (2 (1 - u)),  u = rate / front_rate (docs/models/queueing.md)
  [[nodiscard]] double front_wait(double rate) const {
    const double use = rate / front_rate();
    const double variation = request.arrival_variation_squared / fronts;
    return use < 1.0 ? 0.5 * variation * deployment.client.serial.value() * use / (1.0 - use) : INFINITY;
  }
};

/// `fronts`: replicas that read prompts.
[[nodiscard]] inline FormSetting setting_of(const Deployment& deployment, const MeanRequest& request, double fronts) {
  const ClientTimes& client = deployment.client;
  const double front = client.fixed.value() + client.per_token.value() * request.prompt + client.serial.value();
  return {request, deployment, static_cast<double>(deployment.replicas) * deployment.attention_ranks, front, fronts};
}

/// `load` after `wait` seconds for a front.
[[nodiscard]] inline SteadyLoad behind_front(SteadyLoad load, double wait) {
  load.first_token += Seconds{wait};
  load.latency += Seconds{wait};
  return load;
}

/// The answer at a point, with `before` seconds at the engine before the first token, of which `wait` are waiting.
[[nodiscard]] inline SteadyLoad load_of(const FormSetting& setting, const FormPoint& point, double before, double wait,
                                        double held_tokens) {
  const double lag = kept_lag(setting.deployment.rules.lag_steps * point.lag_step, point.after, setting.request.output);
  SteadyLoad load;
  load.first_token = Seconds{setting.front + before + lag};
  load.latency = Seconds{setting.front + before + point.after};
  load.token_time = Seconds{setting.request.output > 1.0 ? (point.after - lag) / (setting.request.output - 1.0) : 0.0};
  load.waiting_time = Seconds{wait};
  load.running = point.sequences;
  // A started request reserves what the mean answer takes, and long answers stay longer.
  load.cache_use = std::min(1.0, point.sequences * held_tokens / setting.deployment.cache_tokens);
  load.prompt_share = point.prompt_share;
  return load;
}

[[nodiscard]] inline SteadyLoad refused(SteadyStatus status, double highest_rate) {
  SteadyLoad load;
  load.status = status;
  load.highest_rate = highest_rate;
  return load;
}

/// A point of a form, and its unknown.
struct SolvedPoint {
  FormPoint point;
  double z = 0.0;
};

/// The point where `excess(point, z)` is 0: it grows with z and is positive at `high`, which is not looked at where it
/// is the pole. Between the last two points that are looked at, members are taken as linear, which is as exact as
/// solving on. `first`: a guess.
template <class Form, class Excess>
[[nodiscard]] SolvedPoint solved(const Form& form, double high, const FormPoint& at_high, double excess_at_high,
                                 double first, const Excess& excess, FarFromRoot shape = FarFromRoot::proportion) {
  constexpr double tolerance = 1e-5;
  std::array<FormPoint, 2> points{at_high, {}};  // the last two, in turns
  std::size_t last = 0;
  const auto at = [&](double z) {
    last = 1 - last;
    points[last] = form.at(z);
    return excess(points[last], z);
  };
  const RootBracket root = growing_root(at, high, excess_at_high, first, tolerance, shape);
  // The root is near the last point; a longer way along the line would be no better than that point.
  constexpr double farthest = 2.0;
  const double share = std::clamp((root.root - root.before) / (root.last - root.before), 0.0, farthest);
  return {between(points[1 - last], points[last], share), std::clamp(root.root, 0.0, high)};
}

/// Seconds of a request at the engine, in a steady state.
struct SteadyWaits {
  double before = 0.0;  ///< until the first token
  double wait = 0.0;    ///< of these, until a step handles it
  double place = 0.0;   ///< of these, for a place
};

/// Means over the requests of closed users, the first of each included.
struct SteadyMix {
  FormPoint point;
  double before = 0.0;
  double wait = 0.0;
};

/// The first wave: all users send at once, and those who start read before they decode; so their prompts, which later
/// hold up answers, hold up first tokens, and of the rest no more holds up an answer than the half of the wave that
/// follows its prompt. The others wait for a place, those in the middle half as long as the last.
template <class Form>
[[nodiscard]] SteadyMix mix_of(const FormSetting& setting, const Form& form, const FormPoint& point,
                               const SteadyWaits& later, double population) {
  const double at_once = form.at_once(population);
  // The processor need not wait for the rate where no request waits for a place.
  const double started_users = later.place > 0.0 ? population - point.rate * later.place : population;
  const double first = std::max(1.0, std::min(started_users, at_once));
  const FirstWave wave = form.first_wave(first, setting.deployment.client.serial.value());
  const double w = setting.request.first_share;
  const double started = w * std::min(1.0, first / population);
  SteadyMix mix;
  mix.point = point;
  const double held_up = point.after - point.after_alone;
  mix.point.after -= started * std::min(held_up, std::max(wave.wait, held_up - wave.wait));
  const double held = point.wait < INFINITY ? point.after + point.before - point.wait : point.after;
  const double last = (population / at_once - 1.0) * held;
  const double half = 0.5 * std::max(later.place, last - (later.wait - later.place));
  const double place = (1.0 - w) * later.place + w * half;
  mix.before = started * (wave.wait + wave.read) + (1.0 - started) * (later.before - later.place) + place;
  mix.wait = started * wave.wait + (1.0 - started) * (later.wait - later.place) + place;
  return mix;
}

/// The larger of two shares: of the running limit, and of the time that reading prompts takes. Above 1 the point
/// exceeds a limit: a form describes what one request meets, and few requests together may read more than that.
template <class Form>
[[nodiscard]] double use_of_limits(const Form& form, const FormPoint& at) {
  return std::max(at.running / form.limit(), at.reading);
}

/// 1 where a use reaches its limit, 0 from a fifth of a per cent below.
[[nodiscard]] inline double share_at_limit(double use) {
  constexpr double far = 0.99;
  return use < far ? 0.0 : std::clamp(1.0 + 1e3 * relative_excess(use, 1.0), 0.0, 1.0);
}

/// Where the running limit is reached, or prompts take the whole time. Pre: room for a request.
template <class Form>
[[nodiscard]] SolvedPoint full_point_of(const Form& form) {
  const double high = form.highest(INFINITY);
  const FormPoint point = form.at(high);
  const auto excess = [&](const FormPoint& at, double) { return relative_excess(use_of_limits(form, at), 1.0); };
  const double at_high = excess(point, high);
  if (at_high <= 0.0) return {point, high};
  return solved(form, high, point, at_high, high * (1.0 - at_high) / (1.0 + at_high), excess);
}

/// The point of closed users: with `population` of them a rank, n + rate (before + away) = population, unless the
/// running limit binds, or prompts take the whole time. `away`: s between a request's end and the next one at the
/// engine. `full`: full_point_of() an endless population, or null; the answer is the same.
template <class Form>
[[nodiscard]] FormPoint point_of_users(const Form& form, double population, double away, const SolvedPoint* full) {
  const double per_population = 1.0 / population;
  const auto users_at = [&](const FormPoint& at) { return at.rate * (at.before + at.after + away) * per_population; };
  const auto excess = [&](const FormPoint& at, double) {
    return relative_excess(std::max(users_at(at), use_of_limits(form, at)), 1.0);
  };
  SolvedPoint high{{}, form.highest(population)};
  double at_high = 1.0;
  double guess = 0.5 * high.z;
  if (form.is_as_endless(population)) {
    high = full != nullptr ? *full : full_point_of(form);
    at_high = relative_excess(users_at(high.point), 1.0);
    if (at_high > 0.0) guess = high.z * (1.0 - at_high) / (1.0 + at_high);
  } else if (high.z < form.pole()) {
    high.point = form.at(high.z);
    at_high = excess(high.point, high.z);
    guess = high.z * (1.0 - at_high) / (1.0 + at_high);  // exact where the function is a proportion
  }
  return at_high > 0.0 ? solved(form, high.z, high.point, at_high, guess, excess).point : high.point;
}

/// Where closed users meet, and how long they wait for their front there: 0 where it lets through what the engine does,
/// else what leaves the rate of the front.
struct UsersPoint {
  FormPoint point;
  double front_wait = 0.0;
};
template <class Form>
[[nodiscard]] UsersPoint point_behind_front(const FormSetting& setting, const Form& form, double population,
                                            const SolvedPoint* full) {
  constexpr int most_tries = 40;
  constexpr double exact = 1e-6;
  const double away = setting.front + setting.request.think.value();
  const double cycle = population / setting.front_rate();
  UsersPoint found{point_of_users(form, population, away, full)};
  if (!(found.point.rate > setting.front_rate())) return found;
  // The longer they wait, the emptier the engine, and the shorter its times: the tries rise to the answer.
  for (int i = 0; i < most_tries; ++i) {
    const double wait = std::max(0.0, cycle - (found.point.before + found.point.after + away));
    const bool is_near = std::abs(wait - found.front_wait) <= exact * cycle;
    found.front_wait = wait;
    found.point = point_of_users(form, population, away + wait, full);
    if (is_near) break;
  }
  return found;
}

/// Closed users. What point_of_users() does not have room for waits as long as Little's law asks. `full`: as there.
/// Pre: room for a request.
template <class Form>
[[nodiscard]] SteadyLoad solve_users(const FormSetting& setting, const Form& form, double users,
                                     const SolvedPoint* full) {
  const double population = users / setting.ranks;
  const auto [point, front_wait] = point_behind_front(setting, form, population, full);
  const double away = setting.front + front_wait + setting.request.think.value();
  // Little's law gives the time before the first token exactly, where it is long: there it hardly depends on the point.
  const double by_little = population / point.rate - (point.after + away);
  const bool long_queue = by_little > 0.1 * (point.after + away);
  // What the point does not explain is the wait for a place where the running limit binds, else for prompts.
  const double unexplained = std::max(0.0, by_little - point.before);
  const double place_share = share_at_limit(point.running / form.limit());
  const double reading_share = share_at_limit(point.reading);
  const double bound = std::max(place_share, reading_share);
  const double before = long_queue ? by_little : point.before + bound * unexplained;
  const double wait = std::max(0.0, before - (point.before - point.wait));
  const double place_wait = place_share * std::max(0.0, before - point.before);
  const SteadyMix mix = mix_of(setting, form, point, {before, wait, place_wait}, population);
  SteadyLoad load = behind_front(load_of(setting, mix.point, mix.before, mix.wait, form.held_tokens()), front_wait);
  // Users who end before others leave places empty, so that no more is served than in the steady state.
  const double cycle = load.latency.value() + setting.request.think.value();
  load.request_rate = std::min(users / cycle, setting.ranks * point.rate);
  // Sequences of a rank by Little's law, per request and second: no more than decode in the steady state, beside which
  // the times are those of one.
  const double after = point.after > 0.0 ? mix.point.after / point.after : 1.0;
  const double decoding = point.sequences / (setting.ranks * point.rate) * after;
  if (decoding > 0.0) load.request_rate = std::min(load.request_rate, point.sequences / decoding);
  load.users = load.request_rate * cycle;
  const double running = std::min(load.request_rate * decoding, population);
  const double share = point.sequences > 0.0 ? running / point.sequences : 1.0;
  load.running *= share;
  load.cache_use = std::min(1.0, share * load.cache_use);
  return load;
}

}  // namespace dfsweep::queueing
