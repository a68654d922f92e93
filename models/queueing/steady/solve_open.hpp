/// Solves a closed form for an open stream, and for limits on its means.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/queueing/steady/places.hpp"
#include "models/queueing/steady/solve.hpp"
#include "models/queueing/steady/steady_load.hpp"
#include "models/queueing/steady/time_curve.hpp"

namespace dfsweep::queueing {

/// Points of a rank that is nearly empty, and half full: what open streams of all rates share beside a RateRange.
struct StreamPoints {
  SolvedPoint light;
  SolvedPoint half;
};

/// What demands of all sizes share: the point of a full rank (of its places or its chunks); the highest rate; times of
/// prompts.
struct RateRange {
  double rate = 0.0;
  double rate_of_places = 0.0;  ///< the highest of all places, whatever else limits the rate
  PromptTimes prompts;
  SolvedPoint full;
  bool has_full = false;                ///< whether `rate` and `full` are known
  std::optional<StreamPoints> streams;  ///< nothing: each stream computes them
};
/// What a range is for: streams; users; or no more users than may run at once, for whom `rate` and `full` are left out.
enum class RangeFor { streams, users, few_users };

/// The point of a full rank; null where it is not known.
[[nodiscard]] inline const SolvedPoint* full_of(const RateRange* range) {
  return range != nullptr && range->has_full ? &range->full : nullptr;
}

/// The highest rate of a form where requests wait for places; infinite where the running limit does not bind.
template <class Form>
[[nodiscard]] double rate_of_waiting(const Form& form) {
  const FormPoint full = full_point_of(form).point;
  return share_at_limit(full.running / form.limit()) > 0.0 ? full.rate : INFINITY;
}

template <class Form>
[[nodiscard]] StreamPoints stream_points_of(const Form& form, const RateRange& range) {
  constexpr double hardly = 1e-3;
  if (range.streams) return *range.streams;
  const double light = hardly * range.full.z;
  const double half = 0.5 * range.full.z;
  // All lanes of a form of an endless population have the same points.
  const auto at = [&](double z) {
    const auto point = form.at(z);
    return SolvedPoint{mixed<double>(point, point, [](const auto& x, const auto&) { return lane(x, 0); }), z};
  };
  return {at(light), at(half)};
}

/// Pre: the form is of an endless population and has room for a request.
template <class Form>
[[nodiscard]] RateRange rate_range_of(const Form& form, RangeFor use) {
  RateRange range;
  range.prompts = form.prompt_times();
  if (use == RangeFor::few_users) return range;
  range.full = full_point_of(form);
  range.has_full = true;
  if (use == RangeFor::streams) range.streams = stream_points_of(form, range);
  range.rate_of_places = range.full.point.rate;
  if (form.gathers()) range.rate_of_places = std::min(range.rate_of_places, rate_of_waiting(form.without_gathering()));
  range.rate = std::min(range.rate_of_places, form.rate_limit());
  return range;
}

/// The point with this rate of a rank, below the highest one: z = rate T(z) with T(z) = z / at(z).rate, the time in
/// which z goes through. T hardly bends, so that a parabola through three of its points says where to look next.
/// Ends as solved() does, or where the line through two near points is as exact: within the product of the steps.
template <class Form, class Number>
[[nodiscard]] BasicFormPoint<Number> point_of_rate(const Form& form, const RateRange& range, const Number& rate) {
  using Point = BasicFormPoint<Number>;
  constexpr double tolerance = 1e-5;
  constexpr double near_by = 0.05;
  constexpr double error = 3e-7;
  const auto time_of = [](const SolvedPoint& at) { return TimePoint<Number>{at.z, at.z / at.point.rate}; };
  const StreamPoints near = stream_points_of(form, range);
  TimeCurve<Number> curve(time_of(near.light), time_of(near.half), time_of(range.full));
  Number low = 0.0;
  Number high = range.full.z;
  Number z_before = high;
  Point before = in_all_lanes<Number>(range.full).point;
  Point found;
  MaskOf<Number> ends = false;
  for (Number z = curve.crossing(rate);;) {
    z = choose((z > low) & (z < high), z, 0.5 * (low + high));
    const Point last = form.at(z);
    const MaskOf<Number> is_above = last.rate > rate;
    high = choose(is_above, z, high);
    low = choose(is_above, low, z);
    curve.replace_farthest({z, z / last.rate});
    const Number next = curve.crossing(rate);
    const Number left = magnitude(next - z);
    const Number step = magnitude(z - z_before);
    const MaskOf<Number> is_near = (left <= tolerance * z) | ((step < near_by * z) & (left * step < error * z * z));
    const MaskOf<Number> now = (!ends) & (((next >= low) & (next <= high) & is_near) | (high - low <= 1e-12 * high));
    if (any(now)) {
      const Number share = clamped((next - z_before) / (z - z_before), 0.0, 2.0);
      found = chosen_point<Number>(now, between(before, last, share), found);
      ends = ends | now;
    }
    if (!any(!ends)) return found;
    before = last;
    z_before = z;
    z = next;
  }
}

/// The highest rate of a rank: of its engine, or of its front.
[[nodiscard]] inline double highest_rate_of(const FormSetting& setting, const RateRange& range) {
  return std::min(range.rate, setting.front_rate());
}

/// Seconds until a place is free, at a point of an open stream.
template <class Form, class Number>
[[nodiscard]] Number place_wait_of(const FormSetting& setting, const Form& form, const BasicFormPoint<Number>& point,
                                   const RateRange& range) {
  const double ranks = setting.deployment.attention_ranks;
  return by_lane<Number>([&](std::size_t i) {
    return wait_for_place({.running = ranks * lane(point.running, i),
                           .rate = ranks * lane(point.rate, i),
                           .full_running = ranks * range.full.point.running,
                           .full_rate = ranks * range.rate_of_places,
                           .places = ranks * form.limit(),
                           .arrival_variation = setting.request.arrival_variation_squared,
                           .service_variation = setting.request.output_variation_squared});
  });
}

/// The answer of an open stream at a point.
template <class Form, class Number>
[[nodiscard]] BasicSteadyLoad<Number> open_load(const FormSetting& setting, const Form& form,
                                                const BasicFormPoint<Number>& point, const RateRange& range) {
  Number wait = 0.5 * (1.0 + setting.request.arrival_variation_squared) * point.wait;
  // Where nothing decodes, the wait for prompts is the wait for a place.
  const MaskOf<Number> decodes = point.sequences > 0.0;
  if (any(decodes)) wait = choose(decodes, wait + place_wait_of(setting, form, point, range), wait);
  const Number before = point.before - point.wait + wait;
  BasicSteadyLoad<Number> load =
      behind_front(load_of(setting, point, before, wait, form.held_tokens()), setting.front_wait(point.rate));
  load.request_rate = point.rate * setting.ranks;
  load.highest_rate = highest_rate_of(setting, range) * setting.ranks;
  load.users = load.request_rate * (load.latency.value() + setting.request.think.value());
  return load;
}

/// From here on a rate counts as the highest one, which is known no better. Nearer to it, waits of a hundred thousand
/// steps would depend on rounding.
inline constexpr double highest_share = 1.0 - 1e-5;

/// The rate of a rank that a stream asks for. `value`: as that of a Demand of this kind, which is not `users`.
template <class Number>
[[nodiscard]] Number wanted_rate(const FormSetting& setting, DemandKind kind, const Number& value,
                                 const RateRange& range) {
  return kind == DemandKind::share ? value * highest_rate_of(setting, range) : value / setting.ranks;
}
[[nodiscard]] inline bool is_saturated(const FormSetting& setting, double wanted, const RateRange& range) {
  return wanted >= highest_share * highest_rate_of(setting, range);
}

/// An open stream that asks for a rate which does not saturate the deployment.
template <class Form, class Number>
[[nodiscard]] BasicSteadyLoad<Number> solve_stream(const FormSetting& setting, const Form& form, const Number& wanted,
                                                   const RateRange& range) {
  return open_load(setting, form, form.at_rate(point_of_rate(form, range, wanted), wanted), range);
}

/// An open stream: `rate` or `share` of the highest rate.
template <class Form>
[[nodiscard]] SteadyLoad solve_open(const FormSetting& setting, const Form& form, const Demand& demand,
                                    const RateRange& range) {
  const double wanted = wanted_rate(setting, demand.kind, demand.value, range);
  if (is_saturated(setting, wanted, range))
    return refused(SteadyStatus::saturated, highest_rate_of(setting, range) * setting.ranks);
  return solve_stream(setting, form, wanted, range);
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
  const SolvedPoint light = stream_points_of(form, range).light;
  if (const double at_light = excess(light.point, light.z); at_light > 0.0) {
    constexpr double lone = 1e-6;
    if (excess(form.at(lone * light.z), lone * light.z) > 0.0) return 0.0;
    high = light;
    at_high = at_light;
  }
  const double rate = solved<Form, double>(form, {high.z, at_high, 0.5 * high.z}, high.point, excess).point.rate;
  return std::min(rate * setting.ranks, highest);
}

}  // namespace dfsweep::queueing
