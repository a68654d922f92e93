/// What a closed form is asked, and the answer at a point of it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/quantity_lanes.hpp"
#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
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
template <class Number>
struct BasicSteadyLoad {
  SteadyStatus status = SteadyStatus::ok;
  SecondsOf<Number> first_token;   ///< time to first token
  SecondsOf<Number> token_time;    ///< time per output token after the first; 0 where answers have one token
  SecondsOf<Number> latency;       ///< first_token + (output - 1) token_time
  SecondsOf<Number> waiting_time;  ///< from arrival at the engine to the first step that handles the request
  Number request_rate = 0.0;       ///< 1/s of the deployment
  Number highest_rate = std::numeric_limits<double>::quiet_NaN();  ///< 1/s; open demands only
  Number users = 0.0;                                              ///< in the deployment or thinking
  Number running = 0.0;                                            ///< sequences that decode on a rank
  Number cache_use = 0.0;     ///< share of the cache of a rank that they hold; 0 where it is unlimited
  Number prompt_share = 0.0;  ///< share of the time that prompts take
};
using SteadyLoad = BasicSteadyLoad<double>;

/// The answer of one lane.
template <class Number>
[[nodiscard]] SteadyLoad load_of_lane(const BasicSteadyLoad<Number>& loads, std::size_t i) {
  const auto time = [i](const SecondsOf<Number>& times) { return Seconds{lane(times.value(), i)}; };
  return {loads.status,
          time(loads.first_token),
          time(loads.token_time),
          time(loads.latency),
          time(loads.waiting_time),
          lane(loads.request_rate, i),
          lane(loads.highest_rate, i),
          lane(loads.users, i),
          lane(loads.running, i),
          lane(loads.cache_use, i),
          lane(loads.prompt_share, i)};
}

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
  template <class Number>
  [[nodiscard]] Number front_wait(const Number& rate) const {
    const Number use = rate / front_rate();
    const double variation = request.arrival_variation_squared / fronts;
    return choose(use < 1.0, 0.5 * variation * deployment.client.serial.value() * use / (1.0 - use), Number(INFINITY));
  }
};

/// `fronts`: replicas that read prompts.
[[nodiscard]] inline FormSetting setting_of(const Deployment& deployment, const MeanRequest& request, double fronts) {
  const ClientTimes& client = deployment.client;
  const double front = client.fixed.value() + client.per_token.value() * request.prompt + client.serial.value();
  return {request, deployment, static_cast<double>(deployment.replicas) * deployment.attention_ranks, front, fronts};
}

/// `load` after `wait` seconds for a front.
template <class Number>
[[nodiscard]] BasicSteadyLoad<Number> behind_front(BasicSteadyLoad<Number> load, const Number& wait) {
  load.first_token += SecondsOf<Number>{wait};
  load.latency += SecondsOf<Number>{wait};
  return load;
}

/// The answer at a point, with `before` seconds at the engine before the first token, of which `wait` are waiting.
template <class Number>
[[nodiscard]] inline BasicSteadyLoad<Number> load_of(const FormSetting& setting, const BasicFormPoint<Number>& point,
                                                     const Number& before, const Number& wait, double held_tokens) {
  using Time = SecondsOf<Number>;
  const double output = setting.request.output;
  const Number lag = kept_lag<Number>(setting.deployment.rules.lag_steps * point.lag_step, point.after, output);
  BasicSteadyLoad<Number> load;
  load.first_token = Time{setting.front + before + lag};
  load.latency = Time{setting.front + before + point.after};
  if (output > 1.0) load.token_time = Time{(point.after - lag) / (output - 1.0)};
  load.waiting_time = Time{wait};
  load.running = point.sequences;
  // A started request reserves what the mean answer takes, and long answers stay longer.
  load.cache_use = lesser(1.0, point.sequences * held_tokens / setting.deployment.cache_tokens);
  load.prompt_share = point.prompt_share;
  return load;
}

[[nodiscard]] inline SteadyLoad refused(SteadyStatus status, double highest_rate) {
  SteadyLoad load;
  load.status = status;
  load.highest_rate = highest_rate;
  return load;
}

}  // namespace dfsweep::queueing
