/// The event simulation of a deployment under load. Source: docs/models/queueing.md
#pragma once

#include <cstdint>

#include "models/queueing/deployment.hpp"
#include "models/queueing/request_source.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"

namespace dfsweep::queueing {

/// Mean, quantiles and standard error of one time over all requests, in seconds. Quantiles are exact up to 65 536
/// requests, else within 0.4 %. The standard error is that of 32 batch means, because neighbouring requests are alike.
struct TimeSummary {
  double mean = 0.0;
  double p50 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
  double standard_error = 0.0;
};

struct SimulatedLoad {
  TimeSummary first_token;   ///< from sending to the first token at the client
  TimeSummary token_time;    ///< per output token after the first; requests with one token of answer do not count
  TimeSummary latency;       ///< from sending to the last token at the client
  TimeSummary waiting_time;  ///< from arrival at the engine to the start of the first step that handles the request
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;       ///< requests that do not fit the cache even alone; they are in no mean
  double request_rate = 0.0;       ///< 1/s: requests over makespan
  double prompt_token_rate = 0.0;  ///< 1/s, new tokens of prompts
  double output_token_rate = 0.0;  ///< 1/s
  double makespan = 0.0;           ///< s, from time 0 to the last token at a client
  double users = 0.0;              ///< mean number of requests in the system, from sending to the last token
  double running = 0.0;            ///< mean number of decoding sequences of a rank over the makespan
  double cache_use = 0.0;          ///< mean share of a rank's cache that requests hold; 0 where it is unlimited
  double busy = 0.0;               ///< share of the makespan in which a replica steps
  std::uint64_t preemptions = 0;
  std::uint64_t steps = 0;
  double reused_tokens = 0.0;  ///< tokens of former turns that were found in a cache
};

/// One finished request, in seconds from time 0.
struct RequestRecord {
  std::uint64_t request = 0;
  double sent = 0.0;
  double received = 0.0;            ///< by the engine
  double started = 0.0;             ///< start of the first step that handles it
  double first_token = 0.0;         ///< at the client
  double finished = 0.0;            ///< at the client
  std::uint32_t prompt_tokens = 0;  ///< new tokens
  std::uint32_t output_tokens = 0;
  std::uint32_t replica = 0;
  std::uint32_t rank = 0;
};

/// A sink that drops records.
struct NoRecords {
  void operator()(const RequestRecord&) const {}
};

/// Runs `workload` to its end. `sink`: called with each finished request, in the order of their last tokens.
template <Steps S, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Deployment& deployment, const Workload& workload, const S& steps,
                                     Sink&& sink = {});

/// The same for requests of a trace, which come at their own times whatever happens.
template <Steps S, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Deployment& deployment, RequestSource& requests, const S& steps,
                                     Sink&& sink = {});

/// Pools apart.
template <Steps P, Steps D, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Pools& pools, const Workload& workload, const P& prompt_steps,
                                     const D& decode_steps, Sink&& sink = {});

}  // namespace dfsweep::queueing
