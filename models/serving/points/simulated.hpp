/// Simulated: the service of a deployment under load by events, with the distribution of times over requests.
/// Source: docs/models/serving.md, requests under load.
#pragma once

#include "models/queueing/simulation/simulate.hpp"
#include "models/serving/points/loaded.hpp"
#include "models/serving/points/trace.hpp"

namespace dfsweep::serving {

/// Shares of the requests that keep the limits.
struct KeptLimits {
  double both = 1.0;
  double first_token = 1.0;
  double token_time = 1.0;
};

/// What a simulation knows of a deployment under load beside means.
struct Simulated {
  Service service;
  queueing::SimulatedLoad load;
  KeptLimits kept;
};

/// Counts the requests that keep each limit, and both.
class LimitCount {
 public:
  explicit LimitCount(const queueing::Limits& limits) : limits_(limits) {}
  void operator()(const queueing::RequestRecord& r) {
    const double later = r.output_tokens > 1 ? (r.finished - r.first_token) / (r.output_tokens - 1.0) : 0.0;
    const bool keeps_first = r.first_token - r.sent <= limits_.first_token.value();
    const bool keeps_later = later <= limits_.token_time.value();
    all_ += 1;
    first_ += keeps_first ? 1 : 0;
    later_ += keeps_later ? 1 : 0;
    both_ += keeps_first && keeps_later ? 1 : 0;
  }
  [[nodiscard]] KeptLimits shares() const {
    return all_ > 0 ? KeptLimits{both_ / all_, first_ / all_, later_ / all_} : KeptLimits{0.0, 0.0, 0.0};
  }

 private:
  queueing::Limits limits_;
  double all_ = 0.0;
  double first_ = 0.0;
  double later_ = 0.0;
  double both_ = 0.0;
};

/// `think`: of a user between two requests, in which it is a user of the deployment too.
[[nodiscard]] Simulated simulated_of(const queueing::SimulatedLoad& load, Seconds think, double ranks,
                                     const KeptLimits& kept);

/// Whether requests come at a rate without end, so that those that are simulated are a sample of them.
[[nodiscard]] bool is_endless_stream(const Demand& demand);
/// What a sample says of a stream of `rate` requests per second, which does not saturate the deployment: as many are
/// answered as come, though the first ones of the sample find it empty and the last ones leave it so.
[[nodiscard]] Simulated sample_of_stream(Simulated sample, double rate, Seconds think);
/// Of a stream that is faster than what the deployment can do. `highest`: requests per second.
[[nodiscard]] Service saturated_service(double highest);

/// The limit that is broken: by the share of requests that limit_quantile asks for, else by the means. Where too few
/// requests keep both limits, it is the limit that fewer of them keep.
[[nodiscard]] Status kept_limits(const Demand& demand, const Simulated& simulated);

template <queueing::Steps S>
[[nodiscard]] Simulated simulated_service(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                          const queueing::Workload& workload, const S& steps) {
  LimitCount count(demand.limits);
  const queueing::SimulatedLoad load = queueing::simulate(shared_servers(d, demand, o), workload, steps, count);
  return simulated_of(load, workload.think, d.ranks, count.shares());
}

/// The requests of a trace. Pre: pools are shared.
template <queueing::Steps S>
[[nodiscard]] Simulated traced_service(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                       const StreamedRows& trace, const S& steps) {
  LimitCount count(demand.limits);
  TraceRequests requests(trace);
  const queueing::SimulatedLoad load = queueing::simulate(shared_servers(d, demand, o), requests, steps, count);
  return simulated_of(load, Seconds{}, d.ranks, count.shares());
}

/// Pre: the deployment has a pool for prompts.
[[nodiscard]] Simulated simulated_service_of_pools(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                                   const queueing::Workload& workload);

/// The highest rate of arrivals, to 1 %, whose simulation keeps the limits; 0 where none does. `simulated_at(rate)`:
/// Simulated; the same random numbers at each rate. `start`: a rate of the right size, such as the closed form's.
template <class SimulatedAt>
[[nodiscard]] double highest_simulated_rate(const Demand& demand, double start, const SimulatedAt& simulated_at) {
  const auto keeps = [&](double rate) { return kept_limits(demand, simulated_at(rate)) == Status::ok; };
  constexpr double exact_to = 1.01;
  constexpr int most_doublings = 12;
  double low = start;
  double high = start;
  for (int i = 0; i < most_doublings && keeps(high); ++i) {
    low = high;
    high *= 1.5;
  }
  if (low == high)
    for (int i = 0; i < most_doublings && !keeps(low); ++i) {
      high = low;
      low /= 2;
    }
  if (!keeps(low)) return 0.0;
  while (high > exact_to * low) {
    const double middle = std::sqrt(low * high);
    (keeps(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace dfsweep::serving
