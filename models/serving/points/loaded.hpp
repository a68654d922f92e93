/// Loaded: the service of a deployment under users or arrivals, as means by the closed form.
/// Source: docs/models/serving.md, requests under load.
#pragma once

#include "models/serving/points/servers.hpp"
#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

/// Whether the highest rate that keeps the limits is looked for.
enum class Capacities : std::uint8_t { wanted, left_out };

[[nodiscard]] Service service_of(const queueing::SteadyLoad& load, double ranks);

/// `steps`: times of the deployment's steps.
template <queueing::Steps S>
[[nodiscard]] Service loaded_service(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                     const S& steps) {
  return service_of(queueing::steady(shared_servers(d, demand, o), demand.mean, asked_of(demand), steps), d.ranks);
}

/// Pre: the deployment has a pool for prompts.
[[nodiscard]] Service loaded_service_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o);

/// Highest arrival rate that keeps the limits, in requests per second of all replicas.
template <queueing::Steps S>
[[nodiscard]] double highest_rate(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps) {
  return queueing::capacity(shared_servers(d, demand, o), demand.mean, demand.limits, steps);
}
[[nodiscard]] double highest_rate_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o);

}  // namespace dfsweep::serving
