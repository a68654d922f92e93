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
  if (demand.kind == DemandKind::users)
    return solve_users(setting, form, demand.value, range != nullptr ? &range->full : nullptr);
  return solve_open(setting, form, demand, range != nullptr ? *range : rate_range_of(form));
}

template <class Form>
[[nodiscard]] double solve_within(const FormSetting& setting, const Form& form, const Limits& limits,
                                  const RateRange* range) {
  if (form.limit() < 1.0) return 0.0;
  return solve_capacity(setting, form, limits, range != nullptr ? *range : rate_range_of(form));
}

/// Users of a deployment whose servers read prompts and decode, in lanes. Compiled as one function, because lanes that
/// are handed over between functions go through memory.
template <Steps S, class Number>
[[nodiscard, gnu::flatten]] BasicSteadyLoad<Number> solve_lanes(const FormSetting& setting, const Number& users,
                                                                const S& steps, const RateRange* range) {
  const SharedForm<S, Number> form(setting.deployment, setting.request, users / setting.ranks, 1.0, steps,
                                   range != nullptr ? &range->prompts : nullptr);
  return solve_users(setting, form, users, range != nullptr ? &range->full : nullptr);
}

}  // namespace detail

/// The range of rates of an open stream, for calls of steady() and capacity() with the same deployment, request and
/// steps; empty where its conversations carry tokens, so that it depends on the rate, or where there is no room.
template <Steps S>
[[nodiscard]] std::optional<RateRange> rate_range(const Deployment& deployment, const MeanRequest& request,
                                                  const S& steps) {
  if (request.carried > 0.0) return std::nullopt;
  return detail::with_form(deployment, request, {DemandKind::share, 1.0}, steps, nullptr,
                           [&](const FormSetting&, const auto& form) {
                             return form.limit() < 1.0 ? std::nullopt : std::optional(rate_range_of(form));
                           });
}
template <Steps P, Steps D>
[[nodiscard]] std::optional<RateRange> rate_range(const Pools& pools, const MeanRequest& request, const P& prompt_steps,
                                                  const D& decode_steps) {
  const PoolsForm<D> form(pools, request, INFINITY, prompt_steps, decode_steps);
  return form.limit() < 1.0 ? std::nullopt : std::optional(rate_range_of(form));
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

/// Users that steady_of_users() solves together.
inline constexpr std::size_t lanes_of_users = 4;

/// Answers to numbers of users of one deployment: those of steady(), several at once. Pre: as many loads as users.
template <Steps S>
void steady_of_users(const Deployment& deployment, const MeanRequest& request, std::span<const double> users,
                     const S& steps, std::span<SteadyLoad> loads, const RateRange* range = nullptr) {
  using Number = Lanes<lanes_of_users>;
  // Forms of prompts alone, and of conversations whose cache depends on their number, are solved one by one.
  const bool is_shared = request.carried <= 0.0 && request.output > 1.0;
  if (!is_shared || running_limit(deployment, request) < 1.0) {
    for (std::size_t i = 0; i < users.size(); ++i)
      loads[i] = steady(deployment, request, {DemandKind::users, users[i]}, steps, range);
    return;
  }
  const FormSetting setting = setting_of(deployment, request, deployment.replicas);
  for (std::size_t first = 0; first < users.size(); first += lanes_of_users) {
    const std::size_t count = std::min(lanes_of_users, users.size() - first);
    Number asked;
    for (std::size_t i = 0; i < lanes_of_users; ++i) asked.set(i, users[first + std::min(i, count - 1)]);
    const BasicSteadyLoad<Number> found = detail::solve_lanes(setting, asked, steps, range);
    for (std::size_t i = 0; i < count; ++i) loads[first + i] = load_of_lane(found, i);
  }
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
