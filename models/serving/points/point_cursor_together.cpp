/// Points of one deployment and demand that differ in the size of their traffic alone: their figures are computed
/// several at once.
#include <algorithm>
#include <array>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

namespace {

using Number = queueing::DemandLanes;

/// What the points of a group have in common.
struct Group {
  const Deployment& deployment;
  const Demand& demand;
  const OperatingPoint& o;
  WantedParts wanted;
  double most_batch = 1.0;  ///< of a replica
};

/// Some of the points, in lanes.
struct Some {
  Number size;  ///< of the traffic
  BasicService<Number> service;
  BasicBatchWork<Number> work;
};

/// Compiled as one function, because lanes that are handed over between functions go through memory.
[[gnu::flatten]] void do_work(const Group& group, Some& some) {
  const auto& [d, demand, o, wanted, most] = group;
  BasicService<Number>& s = some.service;
  const BasicPace<Number> pace = pace_of(d, o.request, together(s.batch));
  s.step = pace.step;
  s.prefill = pace.prefill;
  if (wanted.phase) some.work.phase = phase_work(d, o.request, demand.phase, pace);
  if (wanted.watts) some.work.average = average_watts(d, o, pace, s.request_rate);
}

/// The batch of a replica.
template <class Size>
Size batch_of(const Group& group, const Size& size) {
  return group.demand.traffic == Traffic::users ? batch_of_users(group.o, group.most_batch, size) : group.most_batch;
}

/// Figures that depend on the size of the traffic.
[[gnu::flatten]] void write_figures(const Group& group, const Some& some, FigureColumns::Points& out) {
  const auto& [d, demand, o, wanted, most] = group;
  const BasicService<Number>& s = some.service;
  write_service(out, s, o);
  write_memory(out, d, demand, batch_of(group, some.size));
  if (demand.traffic != Traffic::users) write_queueing_errors(out, d, demand, s.load);
  if (wanted.phase) write_phase(out, some.work.phase);
  write_costs(out, d, demand, o, Number(s.request_rate * o.request.output), some.work.average);
  if (wanted.coverage && d.prices) write_coverage(out, d, o, demand.phase, together(s.batch));
  if (demand.speculation.form != Speculation::none) write_speculation(out, d, o, together(s.batch));
}

/// The service of one lane, as far as limits need it.
Service service_of_lane(const BasicService<Number>& all, std::size_t i) {
  Service s;
  s.first_token = lane(all.first_token, i);
  s.output_token = lane(all.output_token, i);
  return s;
}

/// Which limits the points break, and how far.
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

/// How many of the points, from the first one on, are served alike: their batch fits, and the room for it is the same.
std::size_t served_alike(const Group& group, std::span<const double> sizes) {
  const auto& [d, demand, o, wanted, most] = group;
  const bool is_batch_given = demand.batch > 0;
  const bool has_states = d.capacity.state > Bytes{};
  if (!is_batch_given && !has_states) return sizes.size();
  std::size_t count = 0;
  for (; count < sizes.size(); ++count) {
    const double batch = batch_of(group, sizes[count]);
    if (has_states && batch != o.batch) break;
    if (is_batch_given && memory_used(d.capacity, demand.tokens, batch) > d.capacity.memory) break;
  }
  return count;
}

}  // namespace

template <class S>
std::size_t PointCursor::write_together(const Deployment& d, const Demand& demand, std::span<const double> sizes,
                                        const S& steps, FigureColumns::Points out) {
  const Situation first = situation_of(d, demand, last_.fits);
  const OperatingPoint& o = first.o;
  if (!first.is_placed || o.status != Status::ok) return 0;
  const queueing::Deployment servers = shared_servers(d, demand, o);
  if (!queueing::can_be_together(servers, demand.mean)) return 0;
  const Group group{d, demand, o, wanted_, most_batch(d, demand, o)};
  const queueing::FormSetting setting = queueing::setting_of(servers, demand.mean, servers.replicas);
  const queueing::DemandKind kind = asked_of(demand).kind;
  const queueing::RateRange& known = *last_.rates.range(d, demand, o, steps);
  const std::size_t all = queueing::not_saturated(setting, kind, sizes.first(served_alike(group, sizes)), known);
  if (all < 2) return 0;
  out.choose(0, all);
  write_deployment(out, d, o);
  if (demand.traffic == Traffic::users) write_queueing_errors(out, d, demand, absent);
  if (wanted_.capacity) out.set(Metric::capacity, last_.rates.capacity(d, demand, o, steps));
  // Each part for all points before the next one, because the processor computes neighbours side by side.
  std::array<Some, most_together / lane_count<Number>> some;
  const auto for_all = [&](const auto& part) {
    for (std::size_t k = 0; k < all; k += lane_count<Number>)
      part(some[k / lane_count<Number>], k, std::min(lane_count<Number>, all - k));
  };
  for_all([&](Some& s, std::size_t k, std::size_t count) {
    s.size = read_lanes<Number>(sizes.data() + k, count);
    s.service = means_of(queueing::steady_together(setting, kind, s.size, steps, known), d.ranks);
  });
  if (wants_pace()) for_all([&](Some& s, std::size_t, std::size_t) { do_work(group, s); });
  for_all([&](Some& s, std::size_t k, std::size_t count) {
    out.choose(k, count);
    write_statuses(demand, s.service, count, out);
    serving::write_figures(group, s, out);
  });
  out.leave_out_rest(all);
  return all;
}

std::size_t PointCursor::write_together(const Deployment& d, const Demand& demand, std::span<const double> sizes,
                                        const FigureColumns::Points& out) {
  move_to(d, demand);
  if (demand.request.beams > 1) return write_together(d, demand, sizes, BeamSteps{d.steps, demand.request.beams}, out);
  return write_together(d, demand, sizes, d.steps, out);
}

}  // namespace dfsweep::serving
