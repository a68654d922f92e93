/// Servers: a deployment as the queueing of requests sees it, and the times of its steps.
#pragma once

#include "models/queueing/deployment.hpp"
#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/steady.hpp"
#include "models/serving/points/operating_point.hpp"

namespace dfsweep::serving {

/// Replicas that read prompts and write answers. A given batch limits the sequences that run; a chosen one is limited
/// by the scheduler and by the room for the cache, request by request.
[[nodiscard]] queueing::Deployment shared_servers(const Deployment& deployment, const Demand& demand,
                                                  const OperatingPoint& o);
/// Pre: the deployment has a pool for prompts.
[[nodiscard]] queueing::Pools separate_servers(const Deployment& deployment, const Demand& demand,
                                               const OperatingPoint& o);

/// Steps of requests that may keep several beams: of each sequence `beams` tokens are decoded, over caches of their
/// own.
struct BeamSteps {
  const StepModel& steps;
  double beams = 1.0;
  template <class Number>
  [[nodiscard]] SecondsOf<Number> rank_time(const queueing::BasicStepLoad<Number>& rank) const {
    return steps.rank_time(widened(rank));
  }
  template <class Number>
  [[nodiscard]] SecondsOf<Number> step_time(const SecondsOf<Number>& slowest,
                                            const queueing::BasicStepLoad<Number>& all) const {
    return steps.step_time(slowest, widened(all));
  }

 private:
  template <class Number>
  [[nodiscard]] queueing::BasicStepLoad<Number> widened(queueing::BasicStepLoad<Number> load) const {
    load.sequences *= beams;
    load.context *= beams;
    return load;
  }
};

/// What requests ask of the queueing: users, a rate, or a share of the highest rate.
[[nodiscard]] queueing::Demand asked_of(const Demand& demand);

}  // namespace dfsweep::serving
