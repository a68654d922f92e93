/// Points that come next: their users are solved several at once, and the work of their batches with them.
#include <algorithm>

#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

[[gnu::flatten]] void PointCursor::work_ahead(const Deployment& d, std::span<Ahead* const> points) {
  using Number = Lanes<queueing::lanes_of_users>;
  const Demand& demand = *points.front()->demand;
  const OperatingPoint& o = points.front()->situation.o;
  for (std::size_t first = 0; first < points.size(); first += lane_count<Number>) {
    const std::span<Ahead* const> some = points.subspan(first, std::min(lane_count<Number>, points.size() - first));
    Number running;
    Number request_rate;
    for (std::size_t i = 0; i < lane_count<Number>; ++i) {
      const queueing::SteadyLoad& load = some[std::min(i, some.size() - 1)]->load;
      running.set(i, load.running);
      request_rate.set(i, load.request_rate);
    }
    const BasicPace<Number> pace = pace_of(d, o.request, together<Number>(running * d.ranks));
    BasicPhaseWork<Number> phase;
    InLanes<Watts, Number> average;
    if (wanted_.phase) phase = phase_work(d, o.request, demand.phase, pace);
    if (wanted_.watts) average = average_watts(d, o, pace, request_rate);
    for (std::size_t i = 0; i < some.size(); ++i)
      some[i]->work = {lane(pace.step, i), lane(pace.prefill, i), work_of_lane(phase, i),
                       wanted_.watts ? lane(average, i) : Watts{absent}};
  }
}

template <class S>
void PointCursor::solve_ahead(const Deployment& d, const S& steps) {
  std::array<double, most_ahead> users;
  std::array<Ahead*, most_ahead> asked;
  std::array<queueing::SteadyLoad, most_ahead> loads;
  std::size_t count = 0;
  std::optional<RangeKey> shared;
  for (Ahead& point : std::span(ahead_.points).first(ahead_.count)) {
    const OperatingPoint& o = point.situation.o;
    if (!point.situation.is_placed || (o.status != Status::ok && !(point.demand->batch > 0))) continue;
    const RangeKey key = range_key_of(d, *point.demand, o);
    if (!shared) shared = key;
    if (*shared != key) continue;
    users[count] = point.demand->users;
    asked[count++] = &point;
  }
  if (count < 2) return;
  const Demand& demand = *asked[0]->demand;
  const OperatingPoint& o = asked[0]->situation.o;
  queueing::steady_of_users(shared_servers(d, demand, o), demand.mean, std::span(users).first(count), steps,
                            std::span(loads).first(count), range(d, demand, o, steps));
  for (std::size_t k = 0; k < count; ++k) {
    asked[k]->load = loads[k];
    asked[k]->is_solved = true;
  }
  if (wants_pace()) work_ahead(d, std::span(asked).first(count));
}

void PointCursor::look_ahead(const Deployment& d, std::span<const Demand* const> demands) {
  const Demand& first = *demands.front();
  move_to(d, first);
  if (last_.fits < 1 && first.batch <= 0) return;  // not one request is served
  ahead_.next = 0;
  ahead_.count = demands.size();
  for (std::size_t k = 0; k < demands.size(); ++k) {
    ahead_.points[k].demand = demands[k];
    ahead_.points[k].situation = situation_of(d, *demands[k], last_.fits);
    ahead_.points[k].is_solved = false;
  }
  if (first.request.beams > 1)
    solve_ahead(d, BeamSteps{d.steps, first.request.beams});
  else
    solve_ahead(d, d.steps);
}

const PointCursor::Ahead* PointCursor::take_ahead(const Demand& demand) {
  if (ahead_.next == ahead_.count || ahead_.points[ahead_.next].demand != &demand) return nullptr;
  return &ahead_.points[ahead_.next++];
}

}  // namespace dfsweep::serving
