/// Points of one deployment and demand that differ in a given batch alone, without waiting: their figures are computed
/// several at once.
#include <algorithm>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/point_cursor.hpp"
#include "models/serving/points/roofline_times.hpp"

namespace dfsweep::serving {

namespace {

/// Whose lanes are handed over within functions alone, because between functions they go through memory.
using BatchLanes = queueing::DemandLanes;

/// What the points have in common.
struct GivenBatches {
  const Deployment& deployment;
  const Demand& demand;
  const OperatingPoint& o;
  WantedParts wanted;
  RooflineTimes times_of;
};

[[gnu::flatten]] BasicService<BatchLanes> service_at(const GivenBatches& given, const BatchLanes& batch) {
  return service_of_batches(given.o, given.demand.batching, batch, given.times_of(batch));
}

[[gnu::flatten]] BasicBatchWork<BatchLanes> work_of(const GivenBatches& given, const BasicService<BatchLanes>& s) {
  const auto& [d, demand, o, wanted, times_of] = given;
  const BasicPace<BatchLanes> pace{together(s.batch), s.step, s.prefill};
  BasicBatchWork<BatchLanes> work;
  if (wanted.phase) work.phase = phase_work(d, o.request, demand.phase, pace);
  if (wanted.watts) work.average = average_watts(d, o, pace, s.request_rate);
  return work;
}

/// Which batches do not fit, which limits others break, and how far.
void write_statuses(const GivenBatches& given, const BasicService<BatchLanes>& s, std::size_t count,
                    FigureColumns::Points& out) {
  const auto& [d, demand, o, wanted, times_of] = given;
  const bool has_limits = demand.limits != queueing::Limits{};
  const auto used = memory_used(d.capacity, cache_bytes(d.capacity, demand.tokens, s.batch));
  BatchLanes shortfall = absent;
  for (std::size_t i = 0; i < count; ++i) {
    Status status = Status::ok;
    if (lane(used, i) > d.capacity.memory) {
      status = Status::out_of_memory;
      shortfall.set(i, memory_shortfall(d, demand, lane(s.batch, i)));
    } else if (has_limits) {
      Service one;
      one.first_token = lane(s.first_token, i);
      one.output_token = lane(s.output_token, i);
      status = broken_limit(demand, one);
      shortfall.set(i, shortfall_of(demand, one, status));
    }
    out.set_status(i, status);
  }
  out.set(Metric::shortfall, shortfall);
}

[[gnu::flatten]] void write_columns(const GivenBatches& given, const BasicService<BatchLanes>& s,
                                    const BasicBatchWork<BatchLanes>& work, FigureColumns::Points& out) {
  write_batch(out, given.wanted, given.deployment, given.demand, given.o, s.batch, s, work);
}

}  // namespace

template <class S>
void PointCursor::write_capacities(const Deployment& d, Demand demand, OperatingPoint o,
                                   std::span<const double> batches, const S& steps, FigureColumns::Points& out) {
  for (std::size_t k = 0; k < batches.size(); ++k) {
    demand.batch = o.batch = batches[k];
    const bool fits = memory_used(d.capacity, demand.tokens, o.batch) <= d.capacity.memory;
    out.choose(k, 1);
    out.set(Metric::capacity, fits ? last_.rates.capacity(d, demand, o, steps) : absent);
  }
}

std::size_t PointCursor::write_batches(const Deployment& d, const Demand& demand, std::span<const double> batches,
                                       FigureColumns::Points out) {
  move_to(d, demand);
  const Situation first = situation_of(d, demand, last_.fits);
  if (!first.is_placed) return 0;
  const RooflineTimes times_of{d, first.o.request, demand.batching, last_.alone};
  const GivenBatches given{d, demand, first.o, wanted_, times_of};
  out.choose(0, batches.size());
  write_deployment(out, d, first.o);
  for (std::size_t k = 0; k < batches.size(); k += lane_count<BatchLanes>) {
    const std::size_t count = std::min(lane_count<BatchLanes>, batches.size() - k);
    const BasicService<BatchLanes> s = service_at(given, read_lanes<BatchLanes>(batches.data() + k, count));
    out.choose(k, count);
    write_statuses(given, s, count, out);
    write_columns(given, s, work_of(given, s), out);
  }
  if (wanted_.capacity && demand.batching == Batching::in_flight) {
    if (demand.request.beams > 1)
      write_capacities(d, demand, first.o, batches, BeamSteps{d.steps, demand.request.beams}, out);
    else
      write_capacities(d, demand, first.o, batches, d.steps, out);
  }
  out.leave_out_rest(batches.size());
  return batches.size();
}

}  // namespace dfsweep::serving
