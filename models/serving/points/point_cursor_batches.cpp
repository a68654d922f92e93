/// Points of one deployment and demand that differ in a given batch alone, whose requests wait for nobody: their
/// figures are computed several at once.
#include <algorithm>
#include <array>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/point_cursor.hpp"
#include "models/serving/points/roofline_times.hpp"

namespace dfsweep::serving {

namespace {

using BatchLanes = queueing::DemandLanes;

/// What the points have in common.
struct GivenBatches {
  const Deployment& deployment;
  const Demand& demand;
  const OperatingPoint& o;
  WantedParts wanted;
  RooflineTimes times_of;
};

/// Some of the points, in lanes.
struct SomeBatches {
  BatchLanes batch;
  BasicService<BatchLanes> service;
  BasicBatchWork<BatchLanes> work;
};

/// Compiled as one function, because lanes that are handed over between functions go through memory.
[[gnu::flatten]] void find_service(const GivenBatches& given, SomeBatches& some) {
  some.service = service_of_batches(given.o, given.demand.batching, some.batch, given.times_of(some.batch));
}

[[gnu::flatten]] void find_work(const GivenBatches& given, SomeBatches& some) {
  const auto& [d, demand, o, wanted, times_of] = given;
  const BasicService<BatchLanes>& s = some.service;
  const BasicPace<BatchLanes> pace{together(s.batch), s.step, s.prefill};
  if (wanted.phase) some.work.phase = phase_work(d, o.request, demand.phase, pace);
  if (wanted.watts) some.work.average = average_watts(d, o, pace, s.request_rate);
}

/// Which batches do not fit, which limits others break, and how far.
void write_statuses(const GivenBatches& given, const SomeBatches& some, std::size_t count,
                    FigureColumns::Points& out) {
  const auto& [d, demand, o, wanted, times_of] = given;
  const bool has_limits = demand.limits != queueing::Limits{};
  const auto used = memory_used(d.capacity, cache_bytes(d.capacity, demand.tokens, some.batch));
  BatchLanes shortfall = absent;
  for (std::size_t i = 0; i < count; ++i) {
    Status status = Status::ok;
    if (lane(used, i) > d.capacity.memory) {
      status = Status::out_of_memory;
      shortfall.set(i, memory_shortfall(d, demand, lane(some.batch, i)));
    } else if (has_limits) {
      Service one;
      one.first_token = lane(some.service.first_token, i);
      one.output_token = lane(some.service.output_token, i);
      status = broken_limit(demand, one);
      shortfall.set(i, shortfall_of(demand, one, status));
    }
    out.set_status(i, status);
  }
  out.set(Metric::shortfall, shortfall);
}

[[gnu::flatten]] void write_columns(const GivenBatches& given, const SomeBatches& some, FigureColumns::Points& out) {
  write_batch(out, given.wanted, given.deployment, given.demand, given.o, some.batch, some.service, some.work);
}

}  // namespace

std::size_t PointCursor::write_batches(const Deployment& d, const Demand& demand, std::span<const double> batches,
                                       FigureColumns::Points out) {
  move_to(d, demand);
  const Situation first = situation_of(d, demand, last_.fits);
  // The capacity of servers in flight depends on their batch.
  if (!first.is_placed || (wanted_.capacity && demand.batching == Batching::in_flight)) return 0;
  const RooflineTimes times_of{d, first.o.request, demand.batching, last_.alone};
  const GivenBatches given{d, demand, first.o, wanted_, times_of};
  const std::size_t all = batches.size();
  out.choose(0, all);
  write_deployment(out, d, first.o);
  // Each part for all points before the next one, because the processor computes neighbours side by side.
  std::array<SomeBatches, most_together / lane_count<BatchLanes>> some;
  const auto for_all = [&](const auto& part) {
    for (std::size_t k = 0; k < all; k += lane_count<BatchLanes>)
      part(some[k / lane_count<BatchLanes>], k, std::min(lane_count<BatchLanes>, all - k));
  };
  for_all([&](SomeBatches& s, std::size_t k, std::size_t count) {
    s.batch = read_lanes<BatchLanes>(batches.data() + k, count);
    find_service(given, s);
  });
  if (wanted_.phase || wanted_.watts) for_all([&](SomeBatches& s, std::size_t, std::size_t) { find_work(given, s); });
  for_all([&](SomeBatches& s, std::size_t k, std::size_t count) {
    out.choose(k, count);
    write_statuses(given, s, count, out);
    write_columns(given, s, out);
  });
  out.leave_out_rest(all);
  return all;
}

}  // namespace dfsweep::serving
