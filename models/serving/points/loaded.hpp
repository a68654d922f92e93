/// Loaded: the service of a deployment under users or arrivals, as means by the closed form.
/// Source: docs/models/serving.md, requests under load.
#pragma once

#include <optional>

#include "models/serving/points/servers.hpp"
#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

/// Whether the highest rate that keeps the limits is looked for.
enum class Capacities : std::uint8_t { wanted, left_out };

/// The service of requests that are answered; of what comes with it only the means are set.
template <class Number>
[[nodiscard]] BasicService<Number> means_of(const queueing::BasicSteadyLoad<Number>& load, double ranks) {
  return {.batch = load.running * ranks,
          .first_token = load.first_token,
          .output_token = load.token_time,
          .latency = load.latency,
          .waiting = load.waiting_time,
          .prefill = {},
          .step = {},
          .request_rate = load.request_rate,
          .users = load.users,
          .cache_use = load.cache_use,
          .load = load.request_rate / load.highest_rate};
}
[[nodiscard]] Service service_of(const queueing::SteadyLoad& load, double ranks);

/// The range of rates of an open stream, for the functions below; empty where it depends on the rate. It needs no more
/// of the demand than its requests and its batch.
template <queueing::Steps S>
[[nodiscard]] std::optional<queueing::RateRange> range_of_rates(const Deployment& d, const Demand& demand,
                                                                const OperatingPoint& o, const S& steps,
                                                                queueing::RangeFor use) {
  return queueing::rate_range(shared_servers(d, demand, o), demand.mean, steps, use);
}
/// Pre, of all functions with this end of a name: the deployment has a pool for prompts.
[[nodiscard]] std::optional<queueing::RateRange> range_of_rates_of_pools(const Deployment& d, const Demand& demand,
                                                                         const OperatingPoint& o,
                                                                         queueing::RangeFor use);

/// `steps`: times of the deployment's steps. `range`: its range of rates, or null; the service is the same.
template <queueing::Steps S>
[[nodiscard]] Service loaded_service(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps,
                                     const queueing::RateRange* range) {
  return service_of(queueing::steady(shared_servers(d, demand, o), demand.mean, asked_of(demand), steps, range),
                    d.ranks);
}
[[nodiscard]] Service loaded_service_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                              const queueing::RateRange* range);

/// Highest arrival rate that keeps the limits, in requests per second of all replicas.
template <queueing::Steps S>
[[nodiscard]] double highest_rate(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps,
                                  const queueing::RateRange* range) {
  return queueing::capacity(shared_servers(d, demand, o), demand.mean, demand.limits, steps, range);
}
[[nodiscard]] double highest_rate_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                           const queueing::RateRange* range);

}  // namespace dfsweep::serving
