/// Service: the times of a request and the rate of a deployment, for traffic without waiting: batches that start and
/// end together, requests without end, and a queue that is there at the start.
#pragma once

#include "models/serving/points/operating_point.hpp"

namespace dfsweep::serving {

/// Means over requests. Times that are not known are NaN.
template <class Number>
struct BasicService {
  using Time = SecondsOf<Number>;
  Number batch = 0.0;  ///< requests of a replica at once, on average
  Time first_token;
  Time output_token;
  Time latency;
  Time waiting{Seconds{absent}};  ///< until the first step that handles the request
  Time prefill;                   ///< of the prompts of the batch
  Time step;                      ///< of a token of the batch while no prompts are read
  Number request_rate = 0.0;      ///< requests per second, of all replicas
  Number users = 0.0;             ///< in the deployment, of all replicas
  Number cache_use = absent;      ///< share of the room for the cache
  Number load = absent;           ///< share of the highest rate, of an open stream by the closed form
};

/// The service of one point, and how it stands to the limits.
struct Service : BasicService<double> {
  double capacity = absent;  ///< highest rate of arrivals that keeps the limits
  double too_few = absent;   ///< limit_quantile over the share of requests that keep both limits
  Status status = Status::ok;
};

/// All requests start and end together; `flight`: of the batch, `first`: until its prompts are read.
[[nodiscard]] Service static_service(const OperatingPoint& o, const InFlight& flight, Seconds first);

/// Requests without end, or a queue of them. `flight`: of the batch; `flight_of(n)`: of n requests.
template <class FlightOf>
[[nodiscard]] Service in_flight_service(const OperatingPoint& o, const InFlight& flight, const FlightOf& flight_of) {
  Service s;
  s.batch = o.batch;
  s.prefill = flight.prefill;
  s.step = flight.step;
  const double rate = o.requests > 0 ? o.requests / finite_time(o.batch, o.requests, flight.total, flight_of).value()
                                     : s.batch / flight.total.value();
  s.request_rate = o.replicas * rate;
  s.first_token = flight.first_token;
  s.output_token = flight.output_token;
  s.latency = s.first_token + (o.request.output - 1) * s.output_token;
  s.users = o.replicas * s.batch;
  return s;
}

/// Which limit the means break. Rounding errors break no limit.
[[nodiscard]] Status broken_limit(const Demand& demand, const Service& service);

/// How far a point is from its limits: time over limit, of the limit that its status names, or `too_few` of a quantile;
/// NaN where it names none.
[[nodiscard]] double shortfall_of(const Demand& demand, const Service& service, Status status);

}  // namespace dfsweep::serving
