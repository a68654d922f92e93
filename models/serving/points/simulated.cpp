#include "models/serving/points/simulated.hpp"

namespace dfsweep::serving {

Simulated simulated_of(const queueing::SimulatedLoad& load, Seconds think, double ranks, const KeptLimits& kept) {
  Simulated s;
  s.load = load;
  s.kept = kept;
  if (load.requests == 0) {
    s.service.status = Status::out_of_memory;
    return s;
  }
  s.service.first_token = Seconds{load.first_token.mean};
  s.service.output_token = Seconds{load.token_time.mean};
  s.service.latency = Seconds{load.latency.mean};
  s.service.waiting = Seconds{load.waiting_time.mean};
  s.service.request_rate = load.request_rate;
  s.service.users = load.request_rate * (s.service.latency + think).value();
  s.service.cache_use = load.cache_use;
  s.service.batch = load.running * ranks;
  return s;
}

bool is_endless_stream(const Demand& demand) {
  const bool is_stream = demand.traffic == Traffic::rate || demand.traffic == Traffic::share;
  return is_stream && demand.requests <= 0 && !demand.is_bursty;
}

Simulated sample_of_stream(Simulated sample, double rate, Seconds think) {
  sample.load.request_rate = rate;
  sample.service.request_rate = rate;
  sample.service.users = rate * (sample.service.latency + think).value();
  return sample;
}

Service saturated_service(double highest) {
  Service s;
  s.status = Status::saturated;
  s.capacity = highest;
  return s;
}

Status kept_limits(const Demand& demand, const Simulated& s) {
  if (s.service.status != Status::ok) return s.service.status;
  if (is_given(demand.limit_quantile)) {
    if (s.kept.both >= demand.limit_quantile) return Status::ok;
    return s.kept.first_token <= s.kept.token_time ? Status::first_token_limit : Status::latency_limit;
  }
  if (s.service.first_token > demand.limits.first_token) return Status::first_token_limit;
  return s.service.output_token > demand.limits.token_time ? Status::latency_limit : Status::ok;
}

Simulated simulated_service_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                     const queueing::Workload& workload) {
  LimitCount count(demand.limits);
  const BeamSteps steps{d.steps, demand.request.beams};
  const queueing::SimulatedLoad load =
      queueing::simulate(separate_servers(d, demand, o), workload, d.prefill->steps, steps, count);
  return simulated_of(load, workload.think, d.ranks, count.shares());
}

}  // namespace dfsweep::serving
