/// The figures of neighbours in lanes of one width. Sources that include this are compiled for processors which have
/// registers of that width.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/loaded.hpp"
#include "models/serving/points/neighbours.hpp"

namespace dfsweep::serving::detail {

/// Some of the points, in lanes.
template <class Number>
struct SomePoints {
  Number size;  ///< of the traffic
  BasicService<Number> service;
  BasicBatchWork<Number> work;
};

/// Where points are made, once they are known.
template <class Number>
union PlaceOfPoints {
  PlaceOfPoints() {}  // NOLINT: nothing is there yet
  SomePoints<Number> points;
};

/// Compiled as one function, because lanes that are handed over between functions go through memory.
template <class Number>
[[gnu::flatten]] void do_work(const Neighbours& all, SomePoints<Number>& some) {
  const Deployment& d = all.deployment;
  const OperatingPoint& o = all.o;
  BasicService<Number>& s = some.service;
  const BasicPace<Number> pace = pace_of(all.wanted, d, o.request, together(s.batch));
  s.step = pace.step;
  s.prefill = pace.prefill;
  if (all.wanted.phase) some.work.phase = phase_work(d, o.request, all.demand.phase, pace);
  if (all.wanted.flops) some.work.phase.flop_share = flop_share_of(d, o.request, all.demand.phase, pace);
  if (all.wanted.watts) some.work.average = average_watts(d, o, pace, s.request_rate);
}

/// Figures that depend on the size of the traffic.
template <class Number>
[[gnu::flatten]] void write_some(const Neighbours& all, const SomePoints<Number>& some, FigureColumns::Points& out) {
  const Deployment& d = all.deployment;
  const Demand& demand = all.demand;
  const OperatingPoint& o = all.o;
  const BasicService<Number>& s = some.service;
  write_batch(out, all.wanted, d, demand, o, all.batch(some.size), s, some.work);
  if (demand.traffic != Traffic::users) write_queueing_errors(out, d, demand, s.load);
}

/// The service of one lane, as far as limits need it.
template <class Number>
[[nodiscard]] Service service_of_lane(const BasicService<Number>& all, std::size_t i) {
  Service s;
  s.first_token = lane(all.first_token, i);
  s.output_token = lane(all.output_token, i);
  return s;
}

/// Which limits the points break, and how far.
template <class Number>
void write_statuses(const Demand& demand, const BasicService<Number>& s, std::size_t count,
                    FigureColumns::Points& out) {
  const bool has_limits = demand.limits != queueing::Limits{};
  Number shortfall = absent;
  for (std::size_t i = 0; i < count; ++i) {
    Status status = Status::ok;
    if (has_limits) {
      const Service one = service_of_lane(s, i);
      status = broken_limit(demand, one);
      shortfall.set(i, shortfall_of(demand, one, status));
    }
    out.set_status(i, status);
  }
  out.set(Metric::shortfall, shortfall);
}

/// Each part for all points before the next one, because the processor computes neighbours side by side.
template <class Number, class S>
void write_neighbours(const Neighbours& all, const S& steps, FigureColumns::Points& out) {
  constexpr std::size_t lanes = lane_count<Number>;
  std::array<PlaceOfPoints<Number>, most_together / lanes> places;
  const auto for_all = [&](const auto& part) {
    for (std::size_t k = 0; k < all.sizes.size(); k += lanes)
      part(places[k / lanes].points, k, std::min(lanes, all.sizes.size() - k));
  };
  const queueing::DemandKind kind = asked_of(all.demand).kind;
  for_all([&](SomePoints<Number>& s, std::size_t k, std::size_t count) {
    const Number size = read_lanes<Number>(all.sizes.data() + k, count);
    const auto load = queueing::steady_together(all.setting, all.values, kind, size, steps, all.known);
    std::construct_at(&s, SomePoints<Number>{size, means_of(load, all.deployment.ranks), {}});
  });
  if (all.wanted.pace() || all.wanted.phase)
    for_all([&](SomePoints<Number>& s, std::size_t, std::size_t) { do_work(all, s); });
  for_all([&](SomePoints<Number>& s, std::size_t k, std::size_t count) {
    out.choose(all.place + k, count);
    write_statuses(all.demand, s.service, count, out);
    write_some(all, s, out);
  });
}

}  // namespace dfsweep::serving::detail
