/// The closed form of a deployment under load: means without a simulation. Source: docs/models/queueing.md
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/pools_form.hpp"
#include "models/queueing/steady/prompts_form.hpp"
#include "models/queueing/steady/shared_form.hpp"
#include "models/queueing/steady/solve.hpp"
#include "models/queueing/steady/solve_open.hpp"
#include "models/queueing/steady/steady_load.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// Share of carried tokens that a rank still finds in its cache or the second tier, with `population` conversations a
/// rank: what fits, because the oldest are given up. 1 where nothing is carried.
[[nodiscard]] inline double cached_share(const Deployment& deployment, const MeanRequest& request, double population) {
  if (request.carried <= 0.0) return 1.0;
  const double room = deployment.cache_tokens - request.shared + deployment.host.tokens;
  return std::clamp(room / (population * (request.prompt - request.shared + request.output)), 0.0, 1.0);
}

namespace detail {

/// Calls `use(setting, form)` with the form of servers whose answers are long or one token. `range`: its rate_range(),
/// or null.
template <Steps S, class Use>
[[nodiscard]] auto with_form(const Deployment& deployment, const MeanRequest& request, const Demand& demand,
                             const S& steps, const RateRange* range, const Use& use) {
  const FormSetting setting = setting_of(deployment, request, deployment.replicas);
  const bool closed = demand.kind == DemandKind::users;
  const double population = closed ? demand.value / setting.ranks : INFINITY;
  const double conversations = closed                            ? population
                               : demand.kind == DemandKind::rate ? demand.value * request.think.value() / setting.ranks
                                                                 : 0.0;
  const double cached = cached_share(deployment, request, conversations);
  const PromptTimes* const known = range != nullptr ? &range->prompts : nullptr;
  if (request.output > 1.0) return use(setting, SharedForm<S>(deployment, request, population, cached, steps, known));
  return use(setting, PromptsForm(deployment, request, population, cached, steps));
}

template <class Form>
[[nodiscard]] SteadyLoad solve(const FormSetting& setting, const Form& form, const Demand& demand,
                               const RateRange* range) {
  if (form.limit() < 1.0) return refused(SteadyStatus::no_room, std::numeric_limits<double>::quiet_NaN());
  if (demand.kind == DemandKind::users) return solve_users(setting, form, demand.value, full_of(range));
  return solve_open(setting, form, demand, range != nullptr ? *range : rate_range_of(form, RangeFor::streams));
}

template <class Form>
[[nodiscard]] double solve_within(const FormSetting& setting, const Form& form, const Limits& limits,
                                  const RateRange* range) {
  if (form.limit() < 1.0) return 0.0;
  return solve_capacity(setting, form, limits, range != nullptr ? *range : rate_range_of(form, RangeFor::users));
}

/// Demands on a deployment whose servers read prompts and decode, in lanes: users, or rates of a rank with their range.
/// Compiled as one function each, because lanes that are handed over between functions go through memory.
template <Steps S, class Number>
[[nodiscard, gnu::flatten]] BasicSteadyLoad<Number> solve_lanes(const FormSetting& setting, const SharedValues& values,
                                                                const Number& users, const S& steps,
                                                                const RateRange& range) {
  const SharedForm<S, Number> form(values, users / setting.ranks, steps, range.prompts);
  return solve_users(setting, form, users, full_of(&range));
}
template <Steps S, class Number>
[[nodiscard, gnu::flatten]] BasicSteadyLoad<Number> solve_lanes_of_rates(const FormSetting& setting,
                                                                         const SharedValues& values,
                                                                         const Number& rates, const S& steps,
                                                                         const RateRange& range) {
  const SharedForm<S, Number> form(values, Number(INFINITY), steps, range.prompts);
  return solve_stream(setting, form, rates, range);
}

}  // namespace detail

/// The range of rates of an open stream, for calls of steady() and capacity() with the same deployment, request and
/// steps; empty where its conversations carry tokens, so that it depends on the rate, or where there is no room.
template <Steps S>
[[nodiscard]] std::optional<RateRange> rate_range(const Deployment& deployment, const MeanRequest& request,
                                                  const S& steps, RangeFor use = RangeFor::streams) {
  if (request.carried > 0.0) return std::nullopt;
  return detail::with_form(deployment, request, {DemandKind::share, 1.0}, steps, nullptr,
                           [&](const FormSetting&, const auto& form) {
                             return form.limit() < 1.0 ? std::nullopt : std::optional(rate_range_of(form, use));
                           });
}
template <Steps P, Steps D>
[[nodiscard]] std::optional<RateRange> rate_range(const Pools& pools, const MeanRequest& request, const P& prompt_steps,
                                                  const D& decode_steps, RangeFor use = RangeFor::streams) {
  const PoolsForm<D> form(pools, request, INFINITY, prompt_steps, decode_steps);
  return form.limit() < 1.0 ? std::nullopt : std::optional(rate_range_of(form, use));
}

/// Means of a deployment whose servers read prompts and decode. `range`: its rate_range(), or null; the answer is the
/// same.
template <Steps S>
[[nodiscard]] SteadyLoad steady(const Deployment& deployment, const MeanRequest& request, const Demand& demand,
                                const S& steps, const RateRange* range = nullptr) {
  return detail::with_form(
      deployment, request, demand, steps, range,
      [&](const FormSetting& setting, const auto& form) { return detail::solve(setting, form, demand, range); });
}

/// Demands of one deployment that are answered together.
inline constexpr std::size_t demands_together = 4;
using DemandLanes = Lanes<demands_together>;

/// Whether demands of a deployment can be answered together: not those of prompts alone, of conversations, whose cache
/// depends on their number, and where there is no room.
[[nodiscard]] inline bool can_be_together(const Deployment& deployment, const MeanRequest& request) {
  return request.carried <= 0.0 && request.output > 1.0 && running_limit(deployment, request) >= 1.0;
}

/// Answers to demands of one kind: those of steady(). `setting`, `values`, `range`: of a deployment with
/// can_be_together(). Pre: streams do not saturate the deployment.
template <Steps S, class Number>
[[nodiscard]] BasicSteadyLoad<Number> steady_together(const FormSetting& setting, const SharedValues& values,
                                                      DemandKind kind, const Number& sizes, const S& steps,
                                                      const RateRange& range) {
  if (kind == DemandKind::users) return detail::solve_lanes(setting, values, sizes, steps, range);
  return detail::solve_lanes_of_rates(setting, values, wanted_rate(setting, kind, sizes, range), steps, range);
}

/// How many of the demands, from the first one on, do not saturate the deployment.
[[nodiscard]] inline std::size_t not_saturated(const FormSetting& setting, DemandKind kind,
                                               std::span<const double> values, const RateRange& range) {
  if (kind == DemandKind::users) return values.size();
  const auto saturates = [&](double value) {
    return is_saturated(setting, wanted_rate(setting, kind, value, range), range);
  };
  return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), saturates) - values.begin());
}

/// Means of pools apart.
template <Steps P, Steps D>
[[nodiscard]] SteadyLoad steady(const Pools& pools, const MeanRequest& request, const Demand& demand,
                                const P& prompt_steps, const D& decode_steps, const RateRange* range = nullptr) {
  const FormSetting setting = setting_of(pools.decode, request, pools.prompt_replicas);
  const bool closed = demand.kind == DemandKind::users;
  const PoolsForm<D> form(pools, request, closed ? demand.value / setting.ranks : INFINITY, prompt_steps, decode_steps);
  return detail::solve(setting, form, demand, range);
}

/// Highest arrival rate, in requests per second of the deployment, whose means keep the limits, to 0.01 %; 0 where not
/// even a lone request keeps them, or not one fits. `range`: as of steady().
template <Steps S>
[[nodiscard]] double capacity(const Deployment& deployment, const MeanRequest& request, const Limits& limits,
                              const S& steps, const RateRange* range = nullptr) {
  return detail::with_form(
      deployment, request, {DemandKind::share, 1.0}, steps, range,
      [&](const FormSetting& setting, const auto& form) { return detail::solve_within(setting, form, limits, range); });
}
template <Steps P, Steps D>
[[nodiscard]] double capacity(const Pools& pools, const MeanRequest& request, const Limits& limits,
                              const P& prompt_steps, const D& decode_steps, const RateRange* range = nullptr) {
  const PoolsForm<D> form(pools, request, INFINITY, prompt_steps, decode_steps);
  return detail::solve_within(setting_of(pools.decode, request, pools.prompt_replicas), form, limits, range);
}

}  // namespace dfsweep::queueing
