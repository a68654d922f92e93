/// Demand: what the parameters of requests, users, limits and prices decide, whatever serves them.
#pragma once

#include <optional>
#include <span>

#include "models/cost/ownership.hpp"
#include "models/queueing/steady/steady.hpp"
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

/// Where requests come from.
enum class Traffic : std::uint8_t {
  endless,  ///< requests never run out: whoever ends is replaced at once
  queue,    ///< `requests` are there at the start
  users,    ///< `users` send one request at a time
  rate,     ///< `arrival_rate` requests per second
  share,    ///< `load` of the highest rate
  trace,    ///< requests come at the times of a trace
};

struct Demand {
  Request request;  ///< its chunk is a deployment's
  RequestTokens tokens;
  queueing::MeanRequest mean;  ///< with the spread of lengths and the turns of conversations
  queueing::Limits limits;
  double limit_quantile = absent;  ///< NaN: limits are on means
  double devices = absent;         ///< NaN: those of the replicas
  double replicas = absent;        ///< NaN: those of the devices, or one
  double prefill_replicas = absent;
  double decode_replicas = absent;
  double batch = 0.0;          ///< of a replica; 0: as large as the rest allows
  double requests = 0.0;       ///< Traffic::queue: of all replicas
  double users = 0.0;          ///< Traffic::users: of all replicas
  double arrival_rate = 0.0;   ///< Traffic::rate
  double load = 1.0;           ///< Traffic::share
  double batch_limit = 0.0;    ///< of the scheduler of a rank; 0: that of the engine
  double step_limit = absent;  ///< s of an output token; NaN: none
  double device_hour_price = absent;
  cost::OwnershipChoices ownership;
  Traffic traffic = Traffic::endless;
  bool is_bursty = false;  ///< requests arrive in bursts
  Queueing queueing = Queueing::steady;
  Batching batching = Batching::in_flight;
  Phase phase = Phase::request;
  SpeculationDemand speculation;
};

/// `trace`: the requests, where they come from a trace; their mean lengths replace those of the point.
[[nodiscard]] Demand demand_of(const PointValues& v, const StreamedRows* trace);

/// The requests of a simulation: their lengths, arrivals and turns. Pre: the demand's traffic is not a trace.
/// `rate`: requests per second of Traffic::share.
[[nodiscard]] queueing::Workload workload_of(const PointValues& v, const Demand& demand, double rate);

/// What a point without a trace may differ in from a neighbour with this demand: the size of its traffic, which is
/// users, a rate or a share; the batch, where requests have no end. NaN where more is different.
[[nodiscard]] double neighbour_size(const PointValues& v, const Demand& demand);
/// The parameter that neighbour_size() of this demand is the number of.
[[nodiscard]] Parameter parameter_of_size(const Demand& demand);
/// The parameter of sizes that has several values, where no other one has: then this number of a point, if it is above
/// 0 and below 1 where it is a share, is its neighbour_size() for a demand whose size it is.
[[nodiscard]] std::optional<Parameter> only_varied_size(const SweepValues& values);

/// Parameters of a demand, and those of them that neighbours share.
[[nodiscard]] std::span<const Parameter> demand_parameters();
[[nodiscard]] std::span<const Parameter> parameters_of_neighbours();

}  // namespace dfsweep::serving
