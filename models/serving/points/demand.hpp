/// Demand: what the parameters of requests, users and prices decide, whatever serves them.
#pragma once

#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"
#include "models/serving/batching/batching.hpp"
#include "models/serving/batching/capacity.hpp"
#include "models/serving/points/values.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving {

struct SpeculationDemand {
  Speculation form = Speculation::none;
  double window = 0.0;
  double verified_tokens = 1.0;  ///< of a sequence in a pass of the target
  double accepted = 1.0;         ///< tokens that a window yields on average
};

struct Demand {
  Request request;  ///< its chunk is a deployment's
  RequestTokens tokens;
  double devices = absent;     ///< NaN: one replica
  double batch = 0.0;          ///< of a replica; 0: as large as the rest allows
  double requests = 0.0;       ///< queued at the start, of all replicas; 0: without end
  double concurrency = 0.0;    ///< users of a replica; 0: requests never run out
  double batch_limit = 0.0;    ///< of the scheduler
  double step_limit = absent;  ///< s of an output token; NaN: none
  double load = 1.0;
  double device_hour_price = absent;
  Batching batching = Batching::in_flight;
  Phase phase = Phase::request;
  SpeculationDemand speculation;
};

[[nodiscard]] Demand demand_of(const PointValues& v);

/// Parameters of a demand.
[[nodiscard]] std::span<const Parameter> demand_parameters();

}  // namespace dfsweep::serving
