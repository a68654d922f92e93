#include "models/serving/points/loaded.hpp"

namespace dfsweep::serving {

Service service_of(const queueing::SteadyLoad& load, double ranks) {
  if (load.status == queueing::SteadyStatus::ok) return {means_of(load, ranks)};
  Service s;
  s.status = load.status == queueing::SteadyStatus::saturated ? Status::saturated : Status::out_of_memory;
  s.capacity = load.highest_rate;
  return s;
}

std::optional<queueing::RateRange> range_of_rates_of_pools(const Deployment& d, const Demand& demand,
                                                           const OperatingPoint& o, queueing::RangeFor use) {
  const BeamSteps steps{d.steps, demand.request.beams};
  return queueing::rate_range(separate_servers(d, demand, o), demand.mean, d.prefill->steps, steps, use);
}

Service loaded_service_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                const queueing::RateRange* range) {
  const BeamSteps steps{d.steps, demand.request.beams};
  return service_of(
      queueing::steady(separate_servers(d, demand, o), demand.mean, asked_of(demand), d.prefill->steps, steps, range),
      d.ranks);
}

double highest_rate_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                             const queueing::RateRange* range) {
  const BeamSteps steps{d.steps, demand.request.beams};
  return queueing::capacity(separate_servers(d, demand, o), demand.mean, demand.limits, d.prefill->steps, steps, range);
}

}  // namespace dfsweep::serving
