/// Solves a closed form for an open stream, and for limits on its means.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/queueing/steady/places.hpp"
#include "models/queueing/steady/solve.hpp"
#include "models/queueing/steady/steady_load.hpp"
#include "models/queueing/steady/time_curve.hpp"

namespace dfsweep::queueing {

/// What open streams of all rates share: points of a rank that is nearly empty, half full, and full (of its places or
/// its chunks); the highest rate; and times of prompts.
struct RateRange {
  double rate = 0.0;
  PromptTimes prompts;
  SolvedPoint light;
  SolvedPoint half;
  SolvedPoint full;
};

/// The highest rate of a form where requests wait for places; infinite where the running limit does not bind.
template <class Form>
[[nodiscard]] double rate_of_waiting(const Form& form) {
  const FormPoint full = full_point_of(form).point;
  return share_at_limit(full.running / form.limit()) > 0.0 ? full.rate : INFINITY;
}

/// Pre: the form is of an endless population and has room for a request.
template <class Form>
[[nodiscard]] RateRange rate_range_of(const Form& form) {
  constexpr double hardly = 1e-3;
  RateRange range;
  range.prompts = form.prompt_times();
  range.full = full_point_of(form);
  range.light.z = hardly * range.full.z;
  range.light.point = form.at(range.light.z);
  range.half.z = 0.5 * range.full.z;
  range.half.point = form.at(range.half.z);
  range.rate = std::min(range.full.point.rate, form.rate_limit());
  if (form.gathers()) range.rate = std::min(range.rate, rate_of_waiting(form.without_gathering()));
  return range;
}

/// The point with this rate of a rank, below the highest one: z = rate T(z) with T(z) = z / at(z).rate, the time in
/// which z goes through. T hardly bends, so that a parabola through three of its points says where to look next.
/// Ends as solved() does, or where the line through two near points is as exact: within the product of the steps.
template <class Form>
[[nodiscard]] FormPoint point_of_rate(const Form& form, const RateRange& range, double rate) {
  constexpr double tolerance = 1e-5;
  constexpr double near_by = 0.05;
  constexpr double error = 3e-7;
  const auto time_of = [](const SolvedPoint& at) { return TimePoint{at.z, at.z / at.point.rate}; };
  TimeCurve curve(time_of(range.light), time_of(range.half), time_of(range.full));
  double low = 0.0;
  double high = range.full.z;
  double z_before = high;
  FormPoint before = range.full.point;
  for (double z = curve.crossing(rate);;) {
    if (!(z > low && z < high)) z = 0.5 * (low + high);
    const FormPoint last = form.at(z);
    (last.rate > rate ? high : low) = z;
    curve.replace_farthest({z, z / last.rate});
    const double next = curve.crossing(rate);
    const double left = std::abs(next - z);
    const double step = std::abs(z - z_before);
    const bool is_near = left <= tolerance * z || (step < near_by * z && left * step < error * z * z);
    if ((next >= low && next <= high && is_near) || high - low <= 1e-12 * high)
      return between(before, last, std::clamp((next - z_before) / (z - z_before), 0.0, 2.0));
    before = last;
    z_before = z;
    z = next;
  }
}

/// The highest rate of a rank: of its engine, or of its front.
[[nodiscard]] inline double highest_rate_of(const FormSetting& setting, const RateRange& range) {
  return std::min(range.rate, setting.front_rate());
}

/// The answer of an open stream at a point.
template <class Form>
[[nodiscard]] SteadyLoad open_load(const FormSetting& setting, const Form& form, const FormPoint& point,
                                   const RateRange& range) {
  const double ranks = setting.deployment.attention_ranks;
  double wait = 0.5 * (1.0 + setting.request.arrival_variation_squared) * point.wait;
  // Where nothing decodes, the wait for prompts is the wait for a place.
  if (point.sequences > 0.0)
    wait += wait_for_place({.running = ranks * point.running,
                            .rate = ranks * point.rate,
                            .full_running = ranks * range.full.point.running,
                            .full_rate = ranks * range.rate,
                            .places = ranks * form.limit(),
                            .arrival_variation = setting.request.arrival_variation_squared,
                            .service_variation = setting.request.output_variation_squared});
  SteadyLoad load = behind_front(load_of(setting, point, point.before - point.wait + wait, wait, form.held_tokens()),
                                 setting.front_wait(point.rate));
  load.request_rate = point.rate * setting.ranks;
  load.highest_rate = highest_rate_of(setting, range) * setting.ranks;
  load.users = load.request_rate * (load.latency.value() + setting.request.think.value());
  return load;
}

/// From here on a rate counts as the highest one, which is known no better. Nearer to it, waits of a hundred thousand
/// steps would depend on rounding.
inline constexpr double highest_share = 1.0 - 1e-5;

/// An open stream: `rate` or `share` of the highest rate.
template <class Form>
[[nodiscard]] SteadyLoad solve_open(const FormSetting& setting, const Form& form, const Demand& demand,
                                    const RateRange& range) {
  const double highest = highest_rate_of(setting, range);
  const double wanted = demand.kind == DemandKind::share ? demand.value * highest : demand.value / setting.ranks;
  if (wanted >= highest_share * highest) return refused(SteadyStatus::saturated, highest * setting.ranks);
  return open_load(setting, form, form.at_rate(point_of_rate(form, range, wanted), wanted), range);
}

/// How far the means at a point are beyond the limits; 1 from the highest rate on.
template <class Form>
[[nodiscard]] double excess_of_means(const FormSetting& setting, const Form& form, const FormPoint& point,
                                     const RateRange& range, const Limits& limits) {
  if (point.rate >= highest_rate_of(setting, range)) return 1.0;
  const SteadyLoad load = open_load(setting, form, point, range);
  const auto excess = [](Seconds time, Seconds limit) {
    return limit.value() < INFINITY ? relative_excess(time.value(), limit.value()) : -1.0;
  };
  return std::max(excess(load.first_token, limits.first_token), excess(load.token_time, limits.token_time));
}

/// The highest rate whose means keep the limits; 0 where none does.
template <class Form>
[[nodiscard]] double solve_capacity(const FormSetting& setting, const Form& form, const Limits& limits,
                                    const RateRange& range) {
  const double highest = highest_rate_of(setting, range) * setting.ranks;
  if (limits == Limits{}) return highest;
  const auto excess = [&](const FormPoint& point, double) {
    return excess_of_means(setting, form, point, range, limits);
  };
  SolvedPoint high = range.full;
  double at_high = excess(high.point, high.z);
  if (at_high <= 0.0) return highest;
  if (const double at_light = excess(range.light.point, range.light.z); at_light > 0.0) {
    constexpr double lone = 1e-6;
    if (excess(form.at(lone * range.light.z), lone * range.light.z) > 0.0) return 0.0;
    high = range.light;
    at_high = at_light;
  }
  const double rate = solved<Form, double>(form, {high.z, at_high, 0.5 * high.z}, high.point, excess).point.rate;
  return std::min(rate * setting.ranks, highest);
}

}  // namespace dfsweep::queueing
