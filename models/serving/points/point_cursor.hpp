/// PointCursor: the figures of points, each a deployment under a demand, one after the other.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "models/serving/points/batch_work.hpp"
#include "models/serving/points/figures.hpp"
#include "models/serving/points/loaded.hpp"
#include "models/serving/points/profiled_flight.hpp"
#include "models/serving/points/service.hpp"
#include "models/serving/points/simulated.hpp"
#include "models/serving/points/situation.hpp"

namespace dfsweep::serving {

/// Metrics that are computed only on request, because they are expensive.
struct WantedParts {
  bool phase = false;     ///< times of the phase and its utilization
  bool capacity = false;  ///< the highest rate that keeps the limits
  bool watts = false;     ///< average power, and what follows from it
  bool coverage = false;  ///< of measured operators, and the error that they expect
  bool steps = false;     ///< what a mean step and its prompts take; `phase` and `watts` need it too
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
  double phase_batch = 0.0;  ///< of `phase_work`; 0: none
  Phase phase = Phase::request;
  PhaseWork phase_work;
  RangeKey range_key;
  bool has_range = false;  ///< whether `range` is that of `range_key`
  std::optional<queueing::RateRange> range;
  /// Of this range, the highest rate within these limits; NaN: not known.
  queueing::Limits capacity_limits;
  double capacity = absent;
  /// What one request finds where not even one fits.
  struct Lone {
    RangeKey key;
    double users = 0.0;
    Service service;
  };
  Lone lone;
};

class PointCursor {
 public:
  /// `trace`: the requests of all points, or null.
  PointCursor(WantedParts wanted, const StreamedRows* trace) : wanted_(wanted), trace_(trace) {}
  /// Valid until the next call. Pre: `deployment` is the one of the last call only where it is at the same address.
  /// `v`: the values of the point, which a simulation draws requests from.
  [[nodiscard]] const Figures& advance_to(const Deployment& deployment, const Demand& demand, const PointValues& v);
  /// The same with times of prompts and steps from measured tables.
  [[nodiscard]] const Figures& advance_to(const Deployment& deployment, const Demand& demand, const PointValues& v,
                                          const ProfiledPlace& place);
  /// Points of one deployment that are solved together at most.
  static constexpr std::size_t most_ahead = 32;
  /// Solves the users of points that come next, several at once; what advance_to() says of them is the same. Pre: at
  /// most `most_ahead` demands that differ in nothing but their users, with is_solved_with_neighbours(), whose
  /// addresses are those of the next calls of advance_to().
  void look_ahead(const Deployment& deployment, std::span<const Demand* const> demands);
  /// From this number of users on, all points have the figures of the last one; infinite where figures depend on users.
  [[nodiscard]] double users_of_same_figures() const { return users_of_same_figures_; }
  /// Forgets the last deployment, whose place another one has taken.
  void forget() { last_.deployment = nullptr; }

 private:
  /// Of a point: NaN where it is not wanted.
  struct BatchWork {
    Seconds step{absent};
    Seconds prefill{absent};
    PhaseWork phase;
    Watts average{absent};
  };
  /// A point that comes next.
  struct Ahead {
    const Demand* demand = nullptr;
    Situation situation;
    bool is_solved = false;
    queueing::SteadyLoad load;
    BatchWork work;
  };
  /// Forgets what the last point had of another deployment or request.
  void move_to(const Deployment& deployment, const Demand& demand);
  template <class FlightOf, class S>
  void find_figures(const Deployment& deployment, const Demand& demand, const PointValues& v, const FlightOf& flight_of,
                    const S& steps);
  template <class S>
  void solve_ahead(const Deployment& deployment, const S& steps);
  [[nodiscard]] const PhaseWork& phase_of(const Deployment& d, const OperatingPoint& o, Phase phase, const Service& s);
  /// What is wanted of solved points with one request and deployment. Pre: at least one point.
  void work_ahead(const Deployment& deployment, std::span<Ahead* const> points);
  [[nodiscard]] bool wants_pace() const { return wanted_.steps || wanted_.phase || wanted_.watts; }
  template <class FlightOf>
  const InFlight& flight(double batch, const FlightOf& flight_of);
  /// Whether the last point had the range of this one, which is noted.
  bool is_neighbour(const Deployment& d, const Demand& demand, const OperatingPoint& o);
  /// The range of rates of an open stream on this deployment; null where it depends on the rate.
  template <class S>
  const queueing::RateRange* range(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps);
  /// The closed form's highest rate that keeps the limits of the demand.
  template <class S>
  double capacity(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps);
  /// The same without limits: the rate at which the deployment is full.
  template <class S>
  double full_rate(const Deployment& d, Demand demand, const OperatingPoint& o, const S& steps) {
    demand.limits = {};
    return capacity(d, demand, o, steps);
  }
  template <class S>
  Service simulated(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                    const S& steps);
  /// The means of requests that wait, by the closed form or by a simulation.
  template <class S>
  Service waited(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                 const S& steps);
  /// What one request finds, as if it fitted.
  template <class FlightOf, class S>
  Service lone_service(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                       const FlightOf& flight_of, const S& steps);
  /// Under load; where not one request fits, the service of one as if it did.
  template <class FlightOf, class S>
  Service loaded(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                 const FlightOf& flight_of, const S& steps);
  void write_figures(const Deployment& d, const Demand& demand, const OperatingPoint& o, const Service& s);

  WantedParts wanted_;
  const StreamedRows* trace_;
  struct AheadPoints {
    std::array<Ahead, most_ahead> points;
    std::size_t next = 0;
    std::size_t count = 0;
  };
  /// The next point, if it is this one; null else.
  const Ahead* take_ahead(const Demand& demand);

  LastPointCache last_;
  AheadPoints ahead_;
  const Ahead* now_ = nullptr;  ///< the point of advance_to(), where it was looked at ahead
  Figures figures_;
  double users_of_same_figures_ = INFINITY;
};

}  // namespace dfsweep::serving
