#include "models/serving/points/point_cursor.hpp"

#include <algorithm>
#include <cmath>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/roofline_times.hpp"

namespace dfsweep::serving {

namespace {

BasicPace<double> pace_of(const Service& s) {
  return {together(s.batch), s.step, s.prefill};
}

/// Times of a batch from measured tables; NaN where there is none.
struct MeasuredTimes {
  const Costs& costs;
  Request request;
  Batching batching;
  const ProfiledPlace& place;
  BatchTimes operator()(double count) const {
    constexpr Seconds unknown{absent};
    constexpr BatchTimes none{unknown, unknown, unknown, unknown, unknown};
    const bool is_static = batching == Batching::static_batch;
    return (is_static ? profiled_static_batch : profiled_flight)(place, costs, request, count).value_or(none);
  }
};

}  // namespace

[[gnu::flatten]] const PhaseWork& PointCursor::phase_of(const Deployment& d, const OperatingPoint& o, Phase phase,
                                                        const Service& s) {
  const BasicPace<double> pace = pace_of(s);
  if (last_.phase_batch != pace.batch || last_.phase != phase) {
    last_.phase_work = phase_work(d, o.request, phase, pace, last_.prompts.parts_of(d.costs, o.request, pace.batch));
    if (wanted_.flops) last_.phase_work.flop_share = flop_share_of(d, o.request, phase, pace);
    last_.phase = phase;
    last_.phase_batch = pace.batch;
  }
  return last_.phase_work;
}

void PointCursor::move_to(const Deployment& d, const Demand& demand) {
  if (last_.deployment == &d && last_.request == demand.request) return;
  const Request& before = last_.request;
  const bool same_prompts = before.prompt == demand.request.prompt && before.shared == demand.request.shared;
  if (last_.deployment != &d || !same_prompts) last_.prompts.forget();
  last_.forget();
  last_.deployment = &d;
  last_.request = demand.request;
  last_.fits = most_requests(d.capacity, demand.tokens);
}

const Figures& PointCursor::advance_to(const Deployment& d, const Demand& demand, const PointValues& v) {
  move_to(d, demand);
  const RooflineTimes times{d, request_of(d, demand), demand.batching, last_.prompts};
  if (demand.request.beams > 1)
    find_figures(d, demand, v, times, BeamSteps{d.steps, demand.request.beams});
  else
    find_figures(d, demand, v, times, d.steps);
  return figures_;
}

const Figures& PointCursor::advance_to(const Deployment& d, const Demand& demand, const PointValues& v,
                                       const ProfiledPlace& place) {
  forget();  // tables of other devices may lie behind the same rooflines
  move_to(d, demand);
  const Request request = request_of(d, demand);
  const ProfiledSteps steps(place, d.costs, request);
  if (is_loaded(demand) && d.status == Status::ok && !steps.is_complete()) {
    figures_.forget();
    figures_.status = Status::no_profile;
    return figures_;
  }
  find_figures(d, demand, v, MeasuredTimes{d.costs, request, demand.batching, place}, steps);
  const bool has_times = figures_.status == Status::ok || figures_.status == Status::out_of_memory ||
                         figures_.status == Status::latency_limit || figures_.status == Status::first_token_limit;
  if (has_times && !is_given(figures_[Metric::request_latency])) {
    figures_.forget();
    figures_.status = Status::no_profile;
  } else if (has_times) {
    figures_[Metric::time_source] = index_of(TimeSource::profiled);
  }
  return figures_;
}

template <class TimesOf>
const BatchTimes& PointCursor::batch_times(double batch, const TimesOf& times_of) {
  if (last_.times_batch != batch) {
    last_.times = times_of(batch);
    last_.times_batch = batch;
  }
  return last_.times;
}

template <class S>
Service PointCursor::simulated(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                               const S& steps) {
  const auto simulated_at = [&](const Demand& asked, double rate) {
    const queueing::Workload workload = workload_of(v, asked, rate);
    return d.prefill ? simulated_service_of_pools(d, asked, o, workload)
                     : simulated_service(d, asked, o, workload, steps);
  };
  Demand asked = demand;
  if (demand.traffic == Traffic::endless) {
    asked.traffic = Traffic::users;
    asked.users = o.replicas * o.batch;
  }
  const double rate =
      demand.traffic == Traffic::share ? demand.load * full_rate(d, demand, o, steps) : demand.arrival_rate;
  const bool is_endless = is_endless_stream(demand);
  if (const double highest = is_endless ? full_rate(d, demand, o, steps) : 0.0;
      highest > 0 && rate >= queueing::highest_share * highest)
    return saturated_service(highest);
  Simulated found = trace_ != nullptr ? traced_service(d, demand, o, *trace_, steps) : simulated_at(asked, rate);
  if (found.service.status != Status::ok) return found.service;
  if (is_endless) found = sample_of_stream(found, rate, workload_of(v, demand, rate).think);
  write_quantiles(figures_, found.load, found.kept.both);
  Service s = found.service;
  s.status = kept_limits(demand, found);
  if (is_given(demand.limit_quantile) && found.kept.both > 0) s.too_few = demand.limit_quantile / found.kept.both;
  if (!wanted_.capacity) return s;
  asked.traffic = Traffic::rate;
  asked.users = 0.0;
  const double start = last_.rates.capacity(d, demand, o, steps);
  const bool has_limits =
      std::isfinite(demand.limits.first_token.value()) || std::isfinite(demand.limits.token_time.value());
  if (!has_limits)
    s.capacity = start;
  else if (start > 0)
    // A few requests keep limits that a stream without end would break.
    s.capacity =
        std::min(full_rate(d, demand, o, steps),
                 highest_simulated_rate(asked, start, [&](double tried) { return simulated_at(asked, tried); }));
  return s;
}

template <class S>
Service PointCursor::waited(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                            const S& steps) {
  if (demand.queueing == Queueing::simulated) return simulated(d, demand, v, o, steps);
  const bool is_open = demand.traffic == Traffic::rate || demand.traffic == Traffic::share;
  // Users can be solved without the range. With it they are faster, which pays if another metric or point needs it too.
  const bool pays = is_open || wanted_.capacity || last_.rates.is_known(d, demand, o);
  const queueing::RateRange* const known = pays ? last_.rates.range(d, demand, o, steps) : nullptr;
  return d.prefill ? loaded_service_of_pools(d, demand, o, known) : loaded_service(d, demand, o, steps, known);
}

template <class TimesOf, class S>
Service PointCursor::lone_service(const Deployment& d, const Demand& demand, const PointValues& v,
                                  const OperatingPoint& o, const TimesOf& times_of, const S& steps) {
  OperatingPoint one = o;
  one.batch = 1.0;
  if (demand.traffic == Traffic::endless || demand.traffic == Traffic::queue)
    return service_without_waiting(one, Batching::in_flight, times_of(1.0), times_of);
  Demand alone = demand;
  alone.batch = 1.0;
  alone.queueing = Queueing::steady;
  alone.traffic = Traffic::users;
  // One request each, which waits for no place.
  alone.users = demand.users > 0 ? std::min(demand.users, o.replicas) : o.replicas;
  LastPointCache::Lone& last = last_.lone;
  const RangeKey key = range_key_of(d, alone, one);
  if (last.key == key && last.users == alone.users) return last.service;
  last = {key, alone.users, waited(d, alone, v, one, steps)};
  return last.service;
}

template <class TimesOf, class S>
Service PointCursor::loaded(const Deployment& d, const Demand& demand, const PointValues& v, const OperatingPoint& o,
                            const TimesOf& times_of, const S& steps) {
  // Where not one request fits, the service is that of one, as if it did.
  const bool fits = o.status == Status::ok || demand.batch > 0;
  Service s;
  s.status = Status::out_of_memory;
  if (fits) s = waited(d, demand, v, o, steps);
  const bool is_answered = s.status == Status::ok && o.status == Status::ok;
  if (is_answered && demand.queueing == Queueing::steady) s.status = broken_limit(demand, s);
  if (s.status == Status::out_of_memory) {
    s = lone_service(d, demand, v, o, times_of, steps);
    s.status = Status::out_of_memory;
  }
  const bool is_one_token = o.request.output <= 1;
  if (!wanted_.pace() && !is_one_token) return s;
  const BasicPace<double> pace = pace_of(wanted_, d, o.request, together(s.batch));
  s.step = pace.step;
  s.prefill = pace.prefill;
  if (is_one_token) s.output_token = s.step;  // there is no second token to wait for
  return s;
}

void PointCursor::write_figures(const Deployment& d, const Demand& demand, const OperatingPoint& o, const Service& s) {
  figures_.batch = o.batch;
  write_deployment(figures_, d, o);
  if (figures_.status == Status::out_of_memory) figures_[Metric::shortfall] = memory_shortfall(d, demand, o.batch);
  if (is_loaded(demand) && demand.queueing == Queueing::steady && !d.prefill)
    write_queueing_errors(figures_, d, demand, s.load);
  BasicBatchWork<double> work;
  if (wanted_.phase) work.phase = phase_of(d, o, demand.phase, s);
  if (wanted_.watts) work.average = average_watts(d, o, pace_of(s), s.request_rate);
  write_batch<Figures, double>(figures_, wanted_, d, demand, o, o.batch, s, work);
}

template <class TimesOf, class S>
void PointCursor::find_figures(const Deployment& d, const Demand& demand, const PointValues& v, const TimesOf& times_of,
                               const S& steps) {
  const Situation here = situation_of(d, demand, last_.fits);
  OperatingPoint o = here.o;
  figures_.forget();
  figures_.status = o.status;
  size_of_same_figures_ = here.is_placed ? INFINITY : 0;
  if (!here.is_placed) return;
  // Where not one request fits, the figures are those of one in each replica, once there are users for all.
  const bool is_stream = demand.users <= 0;
  const bool is_of_lone_requests = o.fits < 1 && demand.batch <= 0 && (is_stream || demand.users >= o.replicas);
  if (is_of_lone_requests && is_computed_with_neighbours(d, demand)) size_of_same_figures_ = is_stream ? 0 : o.replicas;
  const bool waits = is_loaded(demand);
  if (!waits) {
    keep_step_limit(demand, o, times_of);
    keep_first_token_limit(demand, o, times_of);
  }
  Service s = waits ? loaded(d, demand, v, o, times_of, steps)
                    : service_without_waiting(o, demand.batching, batch_times(o.batch, times_of), times_of);
  if (s.status == Status::ok) s.status = o.status != Status::ok || waits ? o.status : broken_limit(demand, s);
  figures_.status = s.status;
  if (wanted_.capacity && s.status != Status::out_of_memory && !is_given(s.capacity) &&
      demand.batching == Batching::in_flight && demand.queueing == Queueing::steady)
    s.capacity = last_.rates.capacity(d, demand, o, steps);
  figures_[Metric::capacity] = s.capacity;
  if (s.status == Status::saturated) return;
  figures_[Metric::shortfall] = shortfall_of(demand, s, s.status);
  write_figures(d, demand, o, s);
}

}  // namespace dfsweep::serving
