/// The event simulation of a deployment under load. Source: docs/models/queueing.md
#pragma once

#include <utility>

#include "models/queueing/deployment.hpp"
#include "models/queueing/request_source.hpp"
#include "models/queueing/simulation/loop.hpp"
#include "models/queueing/simulation/tallies.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"

namespace dfsweep::queueing {

/// A sink that drops records.
struct NoRecords {
  void operator()(const RequestRecord&) const {}
};

/// Runs `workload` to its end. `sink`: called with the record of each finished request, in the order of last tokens at
/// the engine. The same arguments give the same bits.
template <Steps S, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Deployment& deployment, const Workload& workload, const S& steps,
                                     Sink&& sink = {}) {
  RequestFeed feed(workload);
  return SharedLoop(deployment, feed, steps).run(sink);
}

/// The same for requests of a trace, which come at their own times whatever happens.
template <Steps S, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Deployment& deployment, RequestSource& requests, const S& steps,
                                     Sink&& sink = {}) {
  RequestFeed feed(requests);
  return SharedLoop(deployment, feed, steps).run(sink);
}

/// Pools apart. Turns of a conversation are read anew, because prompt workers keep nothing.
template <Steps P, Steps D, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Pools& pools, const Workload& workload, const P& prompt_steps,
                                     const D& decode_steps, Sink&& sink = {}) {
  RequestFeed feed(workload);
  return PoolsLoop(pools, feed, prompt_steps, decode_steps).run(sink);
}

template <Steps P, Steps D, class Sink = NoRecords>
[[nodiscard]] SimulatedLoad simulate(const Pools& pools, RequestSource& requests, const P& prompt_steps,
                                     const D& decode_steps, Sink&& sink = {}) {
  RequestFeed feed(requests);
  return PoolsLoop(pools, feed, prompt_steps, decode_steps).run(sink);
}

}  // namespace dfsweep::queueing
