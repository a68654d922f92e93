/// Service: the times of a request and the rate of a deployment, for traffic without waiting: batches that start and
/// end together, requests without end, and a queue that is there at the start.
#pragma once

#include "models/serving/batching/batching.hpp"
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

/// The service of batches of `batch` requests in all replicas, one after another or without end. `times`: of a batch.
/// Requests without end take turns at the fronts, where those wait for which the replica would be faster.
template <class Number>
[[nodiscard]] BasicService<Number> service_of_batches(const OperatingPoint& o, Batching batching, const Number& batch,
                                                      const BasicBatchTimes<Number>& times) {
  const bool is_static = batching == Batching::static_batch;
  BasicService<Number> s;
  s.batch = batch;
  s.prefill = times.prefill;
  s.step = times.step;
  s.first_token = times.first_token;
  s.output_token = times.output_token;
  s.latency = times.total;
  s.users = o.replicas * batch;
  if (!is_static) {
    const SecondsOf<Number> turn{greater(0.0, batch * o.front.value() - times.total.value())};
    s.first_token += turn;
    s.latency += turn;
  }
  s.request_rate = is_static ? s.users / s.latency.value() : o.replicas * (batch / s.latency.value());
  return s;
}

/// The same where a queue of requests ends. `times_of(n)`: of a batch of n requests.
template <class TimesOf>
[[nodiscard]] Service service_without_waiting(const OperatingPoint& o, Batching batching, const BatchTimes& times,
                                              const TimesOf& times_of) {
  Service s{service_of_batches(o, batching, o.batch, times)};
  if (batching == Batching::in_flight && o.requests > 0)
    s.request_rate =
        o.replicas / std::max(finite_time(o.batch, o.requests, times.total, times_of) / o.requests, o.front).value();
  return s;
}

/// Makes a chosen batch as small as time_to_first_token_limit asks. Pre: traffic without waiting.
template <class TimesOf>
void keep_first_token_limit(const Demand& demand, OperatingPoint& o, const TimesOf& times_of) {
  const Seconds limit = demand.limits.first_token;
  if (o.status != Status::ok || demand.batch > 0 || !(limit.value() < INFINITY)) return;
  const auto keeps = [&](double n) {
    return service_of_batches(o, demand.batching, n, times_of(n)).first_token <= limit;
  };
  if (!is_given(times_of(o.batch).first_token) || keeps(o.batch)) return;
  const double most = std::floor(o.batch);
  o.batch = std::max(1.0, std::floor(largest_batch(most, [&](double n) { return keeps(std::max(1.0, n)); })));
}

/// Which limit the means break. Rounding errors break no limit.
[[nodiscard]] Status broken_limit(const Demand& demand, const Service& service);

/// How far a point is from its limits: time over limit, of the limit that its status names, or `too_few` of a quantile;
/// NaN where it names none.
[[nodiscard]] double shortfall_of(const Demand& demand, const Service& service, Status status);

}  // namespace dfsweep::serving
