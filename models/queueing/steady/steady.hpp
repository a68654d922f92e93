/// The closed form of a deployment under load: means without a simulation. Source: docs/models/queueing.md
#pragma once

#include <algorithm>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steady/pools_form.hpp"
#include "models/queueing/steady/prompts_form.hpp"
#include "models/queueing/steady/shared_form.hpp"
#include "models/queueing/steady/solve.hpp"
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

/// Calls `use(setting, form)` with the form of servers whose answers are long or one token.
template <Steps S, class Use>
[[nodiscard]] auto with_form(const Deployment& deployment, const MeanRequest& request, const Demand& demand,
                             const S& steps, const Use& use) {
  const FormSetting setting = setting_of(deployment, request);
  const bool closed = demand.kind == DemandKind::users;
  const double population = closed ? demand.value / setting.ranks : INFINITY;
  const double conversations = closed                            ? population
                               : demand.kind == DemandKind::rate ? demand.value * request.think.value() / setting.ranks
                                                                 : 0.0;
  const double cached = cached_share(deployment, request, conversations);
  if (request.output > 1.0) return use(setting, SharedForm<S>(deployment, request, population, cached, steps));
  return use(setting, PromptsForm(deployment, request, population, cached, steps));
}

}  // namespace detail

/// Means of a deployment whose servers read prompts and decode.
template <Steps S>
[[nodiscard]] SteadyLoad steady(const Deployment& deployment, const MeanRequest& request, const Demand& demand,
                                const S& steps) {
  return detail::with_form(deployment, request, demand, steps, [&](const FormSetting& setting, const auto& form) {
    return demand.kind == DemandKind::users ? solve_users(setting, form, demand.value)
                                            : solve_open(setting, form, demand);
  });
}

/// Means of pools apart.
template <Steps P, Steps D>
[[nodiscard]] SteadyLoad steady(const Pools& pools, const MeanRequest& request, const Demand& demand,
                                const P& prompt_steps, const D& decode_steps) {
  const FormSetting setting = setting_of(pools.decode, request);
  const bool closed = demand.kind == DemandKind::users;
  const PoolsForm<D> form(pools, request, closed ? demand.value / setting.ranks : INFINITY, prompt_steps, decode_steps);
  return closed ? solve_users(setting, form, demand.value) : solve_open(setting, form, demand);
}

/// Highest arrival rate, in requests per second of the deployment, whose means keep the limits, to 0.01 %; 0 where not
/// even a lone request keeps them, or not one fits.
template <Steps S>
[[nodiscard]] double capacity(const Deployment& deployment, const MeanRequest& request, const Limits& limits,
                              const S& steps) {
  return detail::with_form(
      deployment, request, {DemandKind::share, 1.0}, steps,
      [&](const FormSetting& setting, const auto& form) { return solve_capacity(setting, form, limits); });
}
template <Steps P, Steps D>
[[nodiscard]] double capacity(const Pools& pools, const MeanRequest& request, const Limits& limits,
                              const P& prompt_steps, const D& decode_steps) {
  const PoolsForm<D> form(pools, request, INFINITY, prompt_steps, decode_steps);
  return solve_capacity(setting_of(pools.decode, request), form, limits);
}

}  // namespace dfsweep::queueing
