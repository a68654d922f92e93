/// OperatingPoint: how many requests a replica serves at once, and why not more.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/serving/points/demand.hpp"
#include "models/serving/points/deployment.hpp"

namespace dfsweep::serving {

struct OperatingPoint {
  Request request;
  double replicas = 1.0;          ///< that write answers, or do both
  double prefill_replicas = 0.0;  ///< that read prompts, where pools are separate
  double batch = 1.0;             ///< requests of a replica at once, in the mean of all replicas
  double fits = 0.0;              ///< requests whose cache fits, not whole
  double requests = 0.0;          ///< of a replica that are queued; 0: without end
  Seconds front;                  ///< between two requests that the fronts let through to a replica
  Status status = Status::ok;
};

/// The deployment's request: its prompts are read in chunks of the engine.
[[nodiscard]] Request request_of(const Deployment& deployment, const Demand& demand);

/// Sequences of a rank that may run at once: the sweep's number, else the engine's.
[[nodiscard]] double running_limit(const Deployment& deployment, const Demand& demand);

/// Memory that a batch asks for: weights, buffers and its cache, which is `cache_share` of the rest where the batch is
/// chosen, and may be all of it where it is given.
[[nodiscard]] Bytes memory_needed(const Deployment& deployment, const Demand& demand, double batch);

/// Memory of a replica that reads prompts, with the cache of one of them. Pre: the deployment has a pool for prompts.
[[nodiscard]] Bytes prompt_memory_needed(const Deployment& deployment, const Demand& demand);

/// Replicas, and the status of a deployment whose devices they are.
[[nodiscard]] OperatingPoint placed(const Deployment& deployment, const Demand& demand, double fits);

/// The batch of a replica that users, requests and memory allow, and the status of one that does not fit.
void set_batch(const Deployment& deployment, const Demand& demand, OperatingPoint& o);
/// The largest batch of a replica, whoever sends requests: the given one, as it is, or what memory and engine allow.
/// Pre: a request fits, or the batch is given.
[[nodiscard]] double most_batch(const Deployment& deployment, const Demand& demand, const OperatingPoint& o);
/// The batch that `users` of the whole deployment give a replica, up to `most`: a mean over replicas, of which one may
/// have a request more than another.
template <class Number>
[[nodiscard]] Number batch_of_users(const OperatingPoint& o, double most, const Number& users) {
  return lesser(most, greater(1.0, users / o.replicas));
}

/// The largest batch up to `most` whose output tokens take no longer than the limit; NaN where a time is not known.
/// `times_of(n)`: of a batch of n requests.
template <class TimesOf>
[[nodiscard]] double batch_in_time(const Demand& demand, double most, const TimesOf& times_of) {
  if (!is_given(demand.step_limit)) return most;
  if (!is_given(times_of(1.0).total)) return absent;
  const auto token_time = [&](double n) { return times_of(n).output_token; };
  return batch_within(most, Seconds{demand.step_limit}, token_time);
}

/// Makes a chosen batch as small as time_per_output_token_limit asks, and gives a given one that breaks it a status.
template <class TimesOf>
void keep_step_limit(const Demand& demand, OperatingPoint& o, const TimesOf& times_of) {
  if (o.status != Status::ok || !is_given(demand.step_limit)) return;
  const double within = batch_in_time(demand, o.batch, times_of);
  if (!is_given(within)) return;
  if (demand.batch > 0) {
    if (within < o.batch) o.status = Status::latency_limit;
    return;
  }
  if (within < 1) o.status = Status::latency_limit;
  if (within < o.batch) o.batch = std::max(1.0, std::floor(within));
}

}  // namespace dfsweep::serving
