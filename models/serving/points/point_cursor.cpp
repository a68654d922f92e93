#include "models/serving/points/point_cursor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/machine/token_costs.hpp"

namespace dfsweep::serving {

namespace {

/// Upper bound on concurrent requests per replica.
double max_concurrency(const Demand& demand, const OperatingPoint& o) {
  double most = std::numeric_limits<double>::infinity();
  if (demand.concurrency > 0) most = demand.concurrency;
  return o.requests > 0 ? std::min(most, o.requests) : most;
}

/// Minimum of scheduler limit, users and requests.
double batch_limit_of(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  return std::min(demand.batch_limit * d.costs.ranks, max_concurrency(demand, o));
}

/// The largest batch up to `most` whose output tokens take no longer than the limit; NaN where a time is not known.
template <class FlightOf>
double batch_in_time(const Demand& demand, double most, const FlightOf& flight_of) {
  if (!is_given(demand.step_limit)) return most;
  if (!is_given(flight_of(1).total)) return absent;
  const auto token_time = [&](double n) {
    const InFlight flight = flight_of(n);
    return demand.batching == Batching::static_batch ? flight.step : flight.output_token;
  };
  return batch_within(most, Seconds{demand.step_limit}, token_time);
}

/// A batch that is given is taken as it is, up to the requests that there are, and may fill the whole memory.
template <class FlightOf>
void take_batch(const Deployment& d, const Demand& demand, OperatingPoint& o, const FlightOf& flight_of) {
  o.batch = std::min(demand.batch, max_concurrency(demand, o));
  if (memory_used(d.capacity, demand.tokens, o.batch) > d.capacity.memory)
    o.status = Status::out_of_memory;
  else if (batch_in_time(demand, o.batch, flight_of) < o.batch)
    o.status = Status::latency_limit;
}

template <class FlightOf>
void choose_batch(const Deployment& d, const Demand& demand, OperatingPoint& o, const FlightOf& flight_of) {
  if (o.fits < 1) {
    o.status = Status::out_of_memory;
    return;
  }
  o.batch = std::max(1.0, std::floor(std::min(o.fits, batch_limit_of(d, demand, o))));
  const double within = batch_in_time(demand, o.batch, flight_of);
  if (!is_given(within)) return;
  if (within < 1) o.status = Status::latency_limit;
  o.batch = std::max(1.0, std::floor(within));
}

/// All requests start and end together; `flight`: of the batch, `first`: until its prompts are read.
Service static_service(const OperatingPoint& o, const InFlight& flight, Seconds first) {
  Service s;
  s.batch = o.batch;
  s.prefill = flight.prefill;
  s.step = s.output_token = flight.step;
  s.first_token = first;
  const Seconds rest = (o.request.output - 1) * s.step;
  s.latency = first + rest;
  s.request_rate = o.batch / s.latency.value();
  return s;
}

template <class FlightOf>
Service in_flight_service(const Demand& demand, const OperatingPoint& o, LastPointCache& last,
                          const FlightOf& flight_of) {
  Service s;
  s.batch = demand.load < 1 ? batch_at_load(o.batch, demand.load, flight_of) : o.batch;
  if (last.flight_batch != s.batch) {
    last.flight = flight_of(s.batch);
    last.flight_batch = s.batch;
  }
  const InFlight& flight = last.flight;
  s.prefill = flight.prefill;
  s.step = flight.step;
  s.request_rate = s.batch / flight.total.value();
  if (o.requests > 0) {
    const Seconds full = demand.load < 1 ? flight_of(o.batch).total : flight.total;
    s.request_rate = demand.load * o.requests / finite_time(o.batch, o.requests, full, flight_of).value();
  }
  s.first_token = flight.first_token;
  s.output_token = flight.output_token;
  const double users = demand.concurrency > 0 ? max_concurrency(demand, o) : 0.0;
  if (users > s.batch) s.first_token += (users / s.batch - 1) * flight.total;
  s.latency = s.first_token + (o.request.output - 1) * s.output_token;
  return s;
}

/// k passes of the draft, then one of the target over the window and the token before it.
SpeculationWindow window_of(const Deployment& d, const Demand& demand, const OperatingPoint& o, double batch) {
  const SpeculationDemand& speculation = demand.speculation;
  Decode decode = decode_of(o.request, batch);
  Seconds draft;
  for (double pass = 1; pass <= speculation.window; ++pass) {
    decode.step_tokens = speculation.form == Speculation::tree ? drafted_from(pass) : 1.0;
    draft += decode_time(*d.draft, decode);
  }
  decode.step_tokens = speculation.verified_tokens;
  return {speculation.accepted, draft, decode_time(d.costs, decode)};
}

/// Updates the cached phase.
void update_phase(const Deployment& d, const OperatingPoint& o, Phase phase, const Service& s, LastPointCache& last) {
  if (last.phase_batch == s.batch && last.phase == phase) return;
  const double steps = phase == Phase::request ? o.request.output - 1 : phase == Phase::decode ? 1.0 : 0.0;
  Seconds time;
  Flop flop;
  last.parts = Parts{};
  if (steps > 0) {
    const Decode decode = decode_of(o.request, s.batch);
    last.parts = steps * decode_parts(d.costs, decode);
    time = steps * s.step;
    flop = steps * decode_flop(d.costs, decode);
  }
  if (phase != Phase::decode) {
    const Prompts prompts = prompts_of(o.request, s.batch);
    last.parts = last.parts + (1 / d.costs.pipeline) * prompt_parts(d.costs, prompts);
    time += s.prefill;
    flop += prompt_flop(d.costs, prompts);
  }
  last.flop_share = flop / (time * d.costs.peak);
  last.phase = phase;
  last.phase_batch = s.batch;
}

void write_phase(Figures& figures, const LastPointCache& last) {
  figures[Metric::compute_time] = last.parts.compute.value();
  figures[Metric::memory_time] = last.parts.memory.value();
  figures[Metric::network_time] = last.parts.network.value();
  figures[Metric::host_time] = last.parts.host.value();
  figures[Metric::model_flops_utilization] = last.flop_share;
}

void write_memory(Figures& figures, const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  const Bytes cache = cache_bytes(d.capacity, demand.tokens, o.batch);
  figures[Metric::memory_used] = memory_used(d.capacity, cache).value();
  figures[Metric::weight_memory] = d.capacity.weights.value();
  figures[Metric::cache_memory] = cache.value();
  figures[Metric::max_batch] = std::isfinite(o.fits) ? std::max(0.0, std::floor(o.fits)) : absent;
  if (o.status == Status::out_of_memory)
    figures[Metric::shortfall] = memory_needed(d, demand, o.batch) / d.capacity.memory;
}

void write_costs(Figures& figures, const Deployment& d, double devices, double hour_price) {
  const double token_rate = figures[Metric::token_rate];
  const YieldingDevices all{devices, devices * d.power, hour_price, token_rate};
  figures[Metric::token_rate_per_device] = token_rate / devices;
  figures[Metric::system_cost] = devices * d.price.value();
  figures[Metric::system_power] = all.power.value();
  figures[Metric::energy_per_token] = energy_per_token(all);
  figures[Metric::cost_per_million_tokens] = cost_per_million_tokens(all);
}

/// `sequences`: decoded at once, of all replicas.
void write_speculation(Figures& figures, const SpeculationWindow& window, double sequences) {
  const double rate = speculative_rate(window, sequences);
  figures[Metric::acceptance_length] = window.tokens;
  figures[Metric::draft_time] = window.draft.value();
  figures[Metric::verification_time] = window.verification.value();
  figures[Metric::speculative_rate] = rate;
  figures[Metric::speedup] = rate / figures[Metric::decode_rate];
}

template <class FlightOf>
OperatingPoint operating_point(const Deployment& d, const Demand& demand, double fits, const FlightOf& flight_of) {
  OperatingPoint o;
  o.request = demand.request;
  o.request.chunk = d.chunk;
  if (is_given(demand.devices)) o.replicas = demand.devices / d.devices;
  o.requests = demand.requests / o.replicas;
  o.fits = fits;
  o.status = d.status;
  if (o.status != Status::ok) return o;
  if (o.replicas != std::floor(o.replicas)) {
    o.status = Status::degrees_do_not_divide;
  } else if (o.requests > 0 && o.requests < 1) {
    o.status = Status::no_requests;
  } else {
    if (demand.batch > 0)
      take_batch(d, demand, o, flight_of);
    else
      choose_batch(d, demand, o, flight_of);
  }
  return o;
}

Request request_of(const Deployment& d, const Demand& demand) {
  Request request = demand.request;
  request.chunk = d.chunk;
  return request;
}

/// Times of a batch from rooflines.
struct RooflineFlight {
  const Costs& costs;
  Request request;
  Seconds alone;
  InFlight operator()(double count) const { return in_flight(costs, request, count, alone); }
  /// Until the prompts of `count` requests are read, without others.
  [[nodiscard]] Seconds prompts(double count) const { return lone_prefill_time(costs, prompts_of(request, count)); }
};

/// Times of a batch from measured tables; NaN where there is none.
struct MeasuredFlight {
  const Costs& costs;
  Request request;
  const ProfiledPlace& place;
  InFlight operator()(double count) const {
    constexpr Seconds unknown{absent};
    constexpr InFlight none{unknown, unknown, unknown, unknown, unknown};
    return profiled_flight(place, costs, request, count).value_or(none);
  }
  [[nodiscard]] Seconds prompts(double count) const {
    return profiled_prompt(place, request, count).value_or(Seconds{absent});
  }
};

}  // namespace

Bytes memory_needed(const Deployment& d, const Demand& demand, double batch) {
  const double share = demand.batch > 0 ? 1.0 : d.capacity.cache_share;
  return d.capacity.weights + d.capacity.buffers + cache_bytes(d.capacity, demand.tokens, batch) / share;
}

void PointCursor::move_to(const Deployment& d, const Demand& demand) {
  if (last_.deployment == &d && last_.request == demand.request) return;
  last_ = LastPointCache{};
  last_.deployment = &d;
  last_.request = demand.request;
  last_.fits = most_requests(d.capacity, demand.tokens);
  last_.alone = lone_prefill_time(d.costs, prompts_of(request_of(d, demand), 1));
}

const Figures& PointCursor::advance_to(const Deployment& d, const Demand& demand) {
  move_to(d, demand);
  find_figures(d, demand, RooflineFlight{d.costs, request_of(d, demand), last_.alone});
  return figures_;
}

const Figures& PointCursor::advance_to(const Deployment& d, const Demand& demand, const ProfiledPlace& place) {
  forget();  // tables of other devices may lie behind the same rooflines
  move_to(d, demand);
  find_figures(d, demand, MeasuredFlight{d.costs, request_of(d, demand), place});
  const bool has_times = figures_.status == Status::ok || figures_.status == Status::out_of_memory;
  if (has_times && !is_given(figures_[Metric::request_latency])) {
    figures_.forget();
    figures_.status = Status::no_profile;
  } else if (has_times) {
    figures_[Metric::time_source] = index_of(TimeSource::profiled);
  }
  return figures_;
}

template <class FlightOf>
void PointCursor::find_figures(const Deployment& d, const Demand& demand, const FlightOf& flight_of) {
  const OperatingPoint o = operating_point(d, demand, last_.fits, flight_of);
  Figures& figures = figures_;
  figures.forget();
  figures.status = o.status;
  if (o.status != Status::ok && o.status != Status::out_of_memory) return;
  const Service s = demand.batching == Batching::static_batch
                        ? static_service(o, flight_of(o.batch), flight_of.prompts(o.batch))
                        : in_flight_service(demand, o, last_, flight_of);
  figures[Metric::time_source] = index_of(TimeSource::roofline);
  const double sequences = o.replicas * s.batch * o.request.beams;
  figures[Metric::time_to_first_token] = s.first_token.value();
  figures[Metric::time_per_output_token] = s.output_token.value();
  figures[Metric::request_latency] = s.latency.value();
  figures[Metric::token_rate_per_user] = 1 / s.output_token.value();
  figures[Metric::request_rate] = o.replicas * s.request_rate;
  figures[Metric::token_rate] = figures[Metric::request_rate] * o.request.output;
  figures[Metric::prefill_rate] = o.replicas * s.batch * o.request.prompt / s.prefill.value();
  figures[Metric::decode_rate] = sequences / s.step.value();
  figures[Metric::running_batch] = s.batch;
  if (demand.batch <= 0) figures[Metric::best_batch] = o.batch;
  figures[Metric::compute_precision] = static_cast<double>(index_of(d.products.value_or(NumberFormat::bf16)));
  figures[Metric::evidence] = static_cast<double>(index_of(d.evidence));
  figures[Metric::expected_error] = d.expected_error;
  figures[Metric::expected_memory_error] = d.expected_memory_error;
  figures.batch = o.batch;
  write_memory(figures, d, demand, o);
  if (phases_ == Phases::wanted) {
    update_phase(d, o, demand.phase, s, last_);
    write_phase(figures, last_);
  }
  const double devices = o.replicas * d.devices;
  write_costs(figures, d, devices, demand.device_hour_price);
  if (demand.speculation.form != Speculation::none)
    write_speculation(figures, window_of(d, demand, o, s.batch), sequences);
}

}  // namespace dfsweep::serving
