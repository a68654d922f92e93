/// PointCursor: the figures of points, each a deployment under a demand, one after the other.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "models/serving/points/batch_work.hpp"
#include "models/serving/points/figure_columns.hpp"
#include "models/serving/points/figures.hpp"
#include "models/serving/points/kept_range.hpp"
#include "models/serving/points/neighbours.hpp"
#include "models/serving/points/profiled_flight.hpp"
#include "models/serving/points/roofline_times.hpp"
#include "models/serving/points/service.hpp"
#include "models/serving/points/simulated.hpp"
#include "models/serving/points/situation.hpp"

namespace dfsweep::serving {

/// What neighbouring points share: those of one deployment and one length of requests, or even one batch, follow one
/// another where users or prices vary fastest.
struct LastPointCache {
  const Deployment* deployment = nullptr;
  Request request;
  double fits = 0.0;         ///< requests whose cache fits
  KeptPrompts prompts;       ///< kept longer than the rest
  double times_batch = 0.0;  ///< of `times`; 0: none
  BatchTimes times;          ///< static or in flight, as the deployment is
  double phase_batch = 0.0;  ///< of `phase_work`; 0: none
  Phase phase = Phase::request;
  PhaseWork phase_work;
  KeptRange rates;
  /// What one request finds where not even one fits.
  struct Lone {
    RangeKey key;
    double users = 0.0;
    Service service;
  };
  Lone lone;
  /// Keeps nothing of another deployment or request. Cheaper than a new object.
  void forget() {
    times_batch = phase_batch = 0.0;
    rates.forget();
    lone.key = {};
  }
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
  /// Writes the figures that advance_to() has of points which differ in nothing but the size of their traffic, several
  /// at once. Returns how many of them, from the first one on; 0 where they are not served alike. `demand`: of the
  /// first point, with is_computed_with_neighbours(); `sizes`: neighbour_size() of all. Pre: at most most_together.
  [[nodiscard]] std::size_t write_together(const Deployment& deployment, const Demand& demand,
                                           std::span<const double> sizes, const FigureColumns::Points& out);
  /// Writes the figures of points which differ in nothing but a given batch, likewise. `demand`: of the first point,
  /// with has_neighbouring_batches().
  [[nodiscard]] std::size_t write_batches(const Deployment& deployment, const Demand& demand,
                                          std::span<const double> batches, FigureColumns::Points out);
  /// From this size of traffic on, all points have the figures of the last one; infinite where figures depend on it.
  [[nodiscard]] double size_of_same_figures() const { return size_of_same_figures_; }
  /// Forgets the last deployment, whose place another one has taken.
  void forget() { last_.deployment = nullptr; }

 private:
  /// Forgets what the last point had of another deployment or request.
  void move_to(const Deployment& deployment, const Demand& demand);
  template <class TimesOf, class S>
  void find_figures(const Deployment& deployment, const Demand& demand, const PointValues& v, const TimesOf& times_of,
                    const S& steps);
  template <class S>
  std::size_t write_together(const Deployment& deployment, const Demand& demand, std::span<const double> sizes,
                             const S& steps, FigureColumns::Points out);
  /// The capacity in flight, which is another for each batch.
  template <class S>
  void write_capacities(const Deployment& deployment, Demand demand, OperatingPoint o, std::span<const double> batches,
                        const S& steps, FigureColumns::Points& out);
  [[nodiscard]] const PhaseWork& phase_of(const Deployment& d, const OperatingPoint& o, Phase phase, const Service& s);
  template <class TimesOf>
  const BatchTimes& batch_times(double batch, const TimesOf& times_of);
  /// The rate at which the deployment is full.
  template <class S>
  double full_rate(const Deployment& d, Demand demand, const OperatingPoint& o, const S& steps) {
    demand.limits = {};
    return last_.rates.capacity(d, demand, o, steps);
  }
  template <class S>
  Service simulated(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                    const S& steps);
  /// The means of requests that wait, by the closed form or by a simulation.
  template <class S>
  Service waited(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                 const S& steps);
  /// What one request finds, as if it fitted.
  template <class TimesOf, class S>
  Service lone_service(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                       const TimesOf& times_of, const S& steps);
  /// Under load; where not one request fits, the service of one as if it did.
  template <class TimesOf, class S>
  Service loaded(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                 const TimesOf& times_of, const S& steps);
  void write_figures(const Deployment& d, const Demand& demand, const OperatingPoint& o, const Service& s);

  WantedParts wanted_;
  const StreamedRows* trace_;
  LastPointCache last_;
  Figures figures_;
  double size_of_same_figures_ = INFINITY;
};

}  // namespace dfsweep::serving
