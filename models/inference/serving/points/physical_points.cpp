#include "models/inference/serving/points/physical_points.hpp"

#include <algorithm>
#include <cmath>

#include "models/inference/serving/speculation/acceptance.hpp"

namespace dfsweep::serving {

namespace {

/// A new request waits on average for half of a step that reads the prompts of others.
constexpr double waiting_for_others = 1.5;

/// What scheduler, users and requests allow.
double allowed(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  double most = demand.batch_limit * d.costs.attention_devices;
  if (demand.concurrency > 0) most = std::min(most, demand.concurrency);
  return o.requests > 0 ? std::min(most, o.requests) : most;
}

void choose_batch(const Deployment& d, const Demand& demand, OperatingPoint& o) {
  if (demand.batch > 0) {
    o.batch = demand.batch;
    if (memory_used(d.capacity, demand.tokens, o.batch) > d.capacity.memory) o.status = Status::out_of_memory;
    return;
  }
  if (o.fits < 1) {
    o.status = Status::out_of_memory;
    return;
  }
  o.batch = std::max(1.0, std::floor(std::min(o.fits, allowed(d, demand, o))));
  if (!is_given(demand.step_limit)) return;
  const double within = batch_within(d.costs, o.request, o.batch, Seconds{demand.step_limit});
  if (within < 1) o.status = Status::latency_limit;
  o.batch = std::max(1.0, std::floor(within));
}

Service static_service(const Deployment& d, const OperatingPoint& o) {
  const Prompts prompts = prompts_of(o.request, o.batch);
  Service s;
  s.batch = o.batch;
  s.prefill = prefill_time(d.costs, prompts);
  s.step = s.output_token = decode_time(d.costs, decode_of(o.request, o.batch));
  s.first_token = lone_prefill_time(d.costs, prompts);
  const Seconds rest = (o.request.output - 1) * s.step;
  s.latency = s.first_token + rest;
  s.request_rate = o.batch / (s.prefill + rest).value();
  return s;
}

Service in_flight_service(const Deployment& d, const Demand& demand, const OperatingPoint& o, Recent& recent) {
  const Costs& costs = d.costs;
  Service s;
  s.batch = demand.load < 1 ? batch_at_load(costs, o.request, o.batch, demand.load) : o.batch;
  if (recent.flight_batch != s.batch) {
    recent.flight = in_flight(costs, o.request, s.batch);
    recent.flight_batch = s.batch;
  }
  const InFlight& flight = recent.flight;
  s.prefill = flight.prefill;
  s.step = flight.step;
  s.request_rate = s.batch / flight.total.value();
  if (o.requests > 0) {
    const InFlight full = demand.load < 1 ? in_flight(costs, o.request, o.batch) : flight;
    s.request_rate = demand.load * o.requests / finite_time(costs, o.request, o.batch, o.requests, full).value();
  }
  const Seconds first = (s.batch > 1 ? waiting_for_others : 1.0) * recent.alone;
  s.output_token = std::max(s.step, (flight.total - first) / o.request.output);
  s.first_token = first;
  if (demand.concurrency > s.batch)
    s.first_token += std::max(Seconds{demand.concurrency / s.request_rate} - flight.total, Seconds{});
  s.latency = s.first_token + (o.request.output - 1) * s.output_token;
  return s;
}

/// k passes of the draft, then one of the target over the window and the token before it.
SpeculationFigures window_of(const Deployment& d, const Demand& demand, const OperatingPoint& o, double batch) {
  const SpeculationDemand& speculation = demand.speculation;
  Decode decode = decode_of(o.request, batch);
  Seconds draft;
  for (double pass = 1; pass <= speculation.window; ++pass) {
    decode.step_tokens = speculation.form == Speculation::tree ? drafted_from(pass) : 1.0;
    draft += decode_time(*d.draft, decode);
  }
  decode.step_tokens = speculation.verified_tokens;
  return {speculation.accepted, draft.value(), decode_time(d.costs, decode).value()};
}

/// Fills what `recent` keeps of the phase.
void find_phase(const Deployment& d, const OperatingPoint& o, Phase phase, const Service& s, Recent& recent) {
  if (recent.phase_batch == s.batch && recent.phase == phase) return;
  const double steps = phase == Phase::request ? o.request.output : phase == Phase::decode ? 1.0 : 0.0;
  Seconds time;
  Flop flop;
  recent.parts = Parts{};
  if (steps > 0) {
    const Decode decode = decode_of(o.request, s.batch);
    recent.parts = steps * decode_parts(d.costs, decode);
    time = steps * s.step;
    flop = steps * decode_flop(d.costs, decode);
  }
  if (phase != Phase::decode) {
    const Prompts prompts = prompts_of(o.request, s.batch);
    recent.parts = recent.parts + (1 / d.costs.pipeline) * prompt_parts(d.costs, prompts);
    time += s.prefill;
    flop += prompt_flop(d.costs, prompts);
  }
  recent.flop_share = flop / (time * d.costs.peak);
  recent.phase = phase;
  recent.phase_batch = s.batch;
}

void write_phase(Figures& figures, const Recent& recent) {
  figures[Metric::compute_time] = recent.parts.compute.value();
  figures[Metric::memory_time] = recent.parts.memory.value();
  figures[Metric::network_time] = recent.parts.network.value();
  figures[Metric::host_time] = recent.parts.host.value();
  figures[Metric::model_flops_utilization] = recent.flop_share;
}

void write_memory(Figures& figures, const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  const Bytes cache = cache_bytes(d.capacity, demand.tokens, o.batch);
  const Bytes used = d.capacity.weights + d.capacity.buffers + cache;
  figures[Metric::memory_used] = used.value();
  figures[Metric::weight_memory] = d.capacity.weights.value();
  figures[Metric::cache_memory] = cache.value();
  figures[Metric::max_batch] = std::max(0.0, std::floor(o.fits));
  if (o.status == Status::out_of_memory) figures[Metric::shortfall] = used / d.capacity.memory;
}

}  // namespace

OperatingPoint operating_point(const Deployment& d, const Demand& demand) {
  return operating_point(d, demand, most_requests(d.capacity, demand.tokens));
}

OperatingPoint operating_point(const Deployment& d, const Demand& demand, double fits) {
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
    choose_batch(d, demand, o);
  }
  return o;
}

Figures PhysicalWalk::figures(const Deployment& d, const Demand& demand) {
  if (recent_.deployment != &d || !(recent_.request == demand.request)) {
    recent_ = Recent{};
    recent_.deployment = &d;
    recent_.request = demand.request;
    recent_.fits = most_requests(d.capacity, demand.tokens);
    Request request = demand.request;
    request.chunk = d.chunk;
    recent_.alone = lone_prefill_time(d.costs, prompts_of(request, 1));
  }
  const OperatingPoint o = operating_point(d, demand, recent_.fits);
  Figures figures;
  figures.status = o.status;
  if (o.status != Status::ok && o.status != Status::out_of_memory) return figures;
  const Service s =
      demand.batching == Batching::static_batch ? static_service(d, o) : in_flight_service(d, demand, o, recent_);
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
  figures[Metric::best_batch] = o.batch;
  write_memory(figures, d, demand, o);
  if (phases_ == Phases::wanted) {
    find_phase(d, o, demand.phase, s, recent_);
    write_phase(figures, recent_);
  }
  const double devices = o.replicas * d.devices;
  write_costs(figures, devices, devices * d.price.value(), devices * d.power.value(), demand.device_hour_price);
  if (demand.speculation.form != Speculation::none)
    write_speculation(figures, window_of(d, demand, o, s.batch), sequences);
  return figures;
}

}  // namespace dfsweep::serving
