/// PointCursor: the figures of points, each a deployment under a demand, one after the other.
#pragma once

#include "models/serving/points/demand.hpp"
#include "models/serving/points/deployment.hpp"
#include "models/serving/points/figures.hpp"
#include "models/serving/points/profiled_flight.hpp"

namespace dfsweep::serving {

/// How many requests a replica serves at once, and why not more.
struct OperatingPoint {
  Request request;
  double replicas = 1.0;
  double batch = 1.0;     ///< requests of a replica at once
  double fits = 0.0;      ///< requests whose cache fits, not whole
  double requests = 0.0;  ///< of a replica that are queued; 0: without end
  Status status = Status::ok;
};

/// Memory that a batch asks for: weights, buffers and its cache, which is `cache_share` of the rest where the batch is
/// chosen, and may be all of it where it is given.
[[nodiscard]] Bytes memory_needed(const Deployment& deployment, const Demand& demand, double batch);

/// Times of one request, and the rate of a replica.
struct Service {
  double batch = 0.0;  ///< requests at once, on average
  Seconds first_token;
  Seconds output_token;
  Seconds latency;
  Seconds prefill;  ///< of the prompts of the batch
  Seconds step;     ///< a decode step of the batch
  double request_rate = 0.0;
};

/// What neighbouring points share: those of one deployment and one length of requests, or even one batch, follow one
/// another where users or prices vary fastest.
struct LastPointCache {
  const Deployment* deployment = nullptr;
  Request request;
  double fits = 0.0;          ///< requests whose cache fits
  Seconds alone;              ///< prefill of one request, alone
  double flight_batch = 0.0;  ///< of `flight`; 0: none
  InFlight flight;
  double phase_batch = 0.0;  ///< of `parts` and `flop_share`; 0: none
  Phase phase = Phase::request;
  Parts parts;
  double flop_share = 0.0;  ///< of the peak
};

class PointCursor {
 public:
  enum class Phases : std::uint8_t { wanted, left_out };
  /// `phases`: whether the times of the phase are needed.
  explicit PointCursor(Phases phases) : phases_(phases) {}
  /// Valid until the next call. Pre: `deployment` is the one of the last call only where it is at the same address.
  [[nodiscard]] const Figures& advance_to(const Deployment& deployment, const Demand& demand);
  /// The same with times of prompts and steps from measured tables.
  [[nodiscard]] const Figures& advance_to(const Deployment& deployment, const Demand& demand,
                                          const ProfiledPlace& place);
  /// Forgets the last deployment, whose place another one has taken.
  void forget() { last_.deployment = nullptr; }

 private:
  /// Forgets what the last point had of another deployment or request.
  void move_to(const Deployment& deployment, const Demand& demand);
  template <class FlightOf>
  void find_figures(const Deployment& deployment, const Demand& demand, const FlightOf& flight_of);

  Phases phases_;
  LastPointCache last_;
  Figures figures_;
};

}  // namespace dfsweep::serving
