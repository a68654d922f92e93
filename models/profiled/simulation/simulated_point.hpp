/// SimulatedPoint: the simulated run of a point with queueing = "simulated", and its metrics.
#pragma once

#include <optional>
#include <string>

#include "models/profiled/simulation/batch_clock.hpp"
#include "models/profiled/simulation/offered_requests.hpp"
#include "models/queueing/vidur/capacity.hpp"
#include "models/queueing/vidur/summary.hpp"

namespace dfsweep::profiled {

/// What a simulated point has besides its replica.
struct SimulationRequest {
  vidur::Rules rules;
  Demand demand;
  double cache_blocks = absent;        ///< NaN: what fits in memory
  double pool_share = 1.0;             ///< block pools per request slot: the stages where a slot holds all layers
  double waiting_time_limit = absent;  ///< s; NaN: no search for the capacity
  double limit_quantile = 0.99;
  double tensor_parallel = 1.0;
  Throughput peak;
  std::optional<cost::PowerRange> device;  ///< empty: watts are not wanted
};
[[nodiscard]] SimulationRequest simulation_request(const ProfiledValues& decoded, const Codes& codes);

struct SimulatedPoint {
  Status status = Status::ok;
  std::string reason;  ///< why there is no result; empty: there is one
  vidur::Rules rules;
  std::vector<vidur::OfferedRequest> offered;
  vidur::RunRecord record;
  vidur::RunSummary summary;
  std::optional<vidur::Capacity> capacity;
  Bytes memory_used;          ///< weights and the whole cache, of the fullest chip
  double max_batch = absent;  ///< requests of max_request_tokens that fit
  double flops_utilization = absent;
  Watts device_average_power{absent};  ///< NaN where it is not wanted or the device has no stated rates
  Coverage coverage = Coverage::measured;
};

/// Runs the simulation of a point. Pre: `clock` is of `replica`; the verdict of `replica` is ok.
[[nodiscard]] SimulatedPoint simulated_point(const Replica& replica, const BatchClock& clock,
                                             const SimulationRequest& request, const ServedModel& model,
                                             std::span<const vidur::OfferedRequest> trace,
                                             const vidur::Recording& recording);

/// Writes status and metrics of a simulated point; the other metrics of the point are absent.
void write_simulation(const EstimateColumns& out, std::size_t i, const SimulatedPoint& point);

}  // namespace dfsweep::profiled
