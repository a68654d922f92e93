#include "models/inference/serving/points/physical_points.hpp"

#include <algorithm>
#include <cmath>

#include "models/inference/serving/speculation/acceptance.hpp"

namespace dfsweep::serving {

namespace {

/// A new request waits on average for half of a step that reads the prompts of others.
constexpr double waiting_for_others = 1.5;

Request request_of(const Deployment& d, const PointValues& v) {
  using enum Parameter;
  return {.prompt = v.number(prompt_tokens),
          // At least one token of every prompt is computed: it gives the first token of the answer.
          .shared = std::min(v.number(shared_prompt_tokens), v.number(prompt_tokens) - 1),
          .output = v.number(output_tokens),
          .beams = v.number(beams),
          .chunk = d.chunk,
          .step_tokens = v.number_or(verified_tokens, 1.0)};
}

bool is_static(const PointValues& v) {
  return v.choice<Batching>(Parameter::batching) == Batching::static_batch;
}

/// What scheduler, users and requests allow.
double allowed(const OperatingPoint& o, const PointValues& v, const Deployment& d) {
  double most = v.number(Parameter::batch_limit) * d.costs.attention_devices;
  most = std::min(most, v.number_or(Parameter::concurrency, most));
  return o.requests > 0 ? std::min(most, o.requests) : most;
}

void choose_batch(const Deployment& d, const PointValues& v, OperatingPoint& o) {
  const double given = v.number_or(Parameter::batch, 0.0);
  if (given > 0) {
    o.batch = given;
    const Capacity& c = d.capacity;
    if (memory_used(c, o.tokens, given) > c.memory) o.status = Status::out_of_memory;
    return;
  }
  if (o.fits < 1) {
    o.status = Status::out_of_memory;
    return;
  }
  o.batch = std::max(1.0, std::floor(std::min(o.fits, allowed(o, v, d))));
  if (const double limit = v.number(Parameter::time_per_output_token_limit); is_given(limit)) {
    const double within = batch_within(d.costs, o.request, o.batch, Seconds{limit});
    if (within < 1) o.status = Status::latency_limit;
    o.batch = std::max(1.0, std::floor(within));
  }
}

}  // namespace

OperatingPoint operating_point(const Deployment& d, const PointValues& v) {
  OperatingPoint o;
  o.request = request_of(d, v);
  o.tokens = {.shared = o.request.shared,
              .prompt = o.request.prompt - o.request.shared,
              .output = o.request.output,
              .beams = o.request.beams};
  o.replicas = std::floor(v.number_or(Parameter::device_count, d.devices) / d.devices);
  o.requests = v.number_or(Parameter::requests, 0.0) / o.replicas;
  o.fits = most_requests(d.capacity, o.tokens);
  o.status = d.status;
  if (o.status != Status::ok) return o;
  if (o.requests > 0 && o.requests < 1) {
    o.status = Status::no_requests;
    return o;
  }
  choose_batch(d, v, o);
  return o;
}

namespace {

/// Times of one request, and the rate of a replica.
struct Service {
  Seconds first_token;
  Seconds output_token;
  Seconds latency;
  double request_rate = 0.0;
  double batch = 0.0;
};

Service static_service(const Deployment& d, const OperatingPoint& o) {
  const Seconds total = static_time(d.costs, o.request, o.batch);
  const Seconds first = lone_prefill_time(d.costs, prompts_of(o.request, o.batch));
  const Seconds step = decode_time(d.costs, decode_of(o.request, o.batch));
  return {first, step, first + (o.request.output - 1) * step, o.batch / total.value(), o.batch};
}

Service in_flight_service(const Deployment& d, const OperatingPoint& o, const PointValues& v) {
  const Costs& costs = d.costs;
  const double load = v.number(Parameter::load);
  const double batch = load < 1 ? batch_at_load(costs, o.request, o.batch, load) : o.batch;
  const Seconds total = in_flight_time(costs, o.request, batch);
  const double users = v.number_or(Parameter::concurrency, 0.0);
  Service s;
  s.batch = batch;
  s.request_rate = o.requests > 0 ? load * o.requests / finite_time(costs, o.request, o.batch, o.requests).value()
                                  : batch / total.value();
  const Seconds own = lone_prefill_time(costs, prompts_of(o.request, 1));
  const Seconds first = (batch > 1 ? waiting_for_others : 1.0) * own;
  const Seconds queue{users > batch ? users / s.request_rate - total.value() : 0.0};
  const Seconds step = decode_time(costs, decode_of(o.request, batch));
  s.output_token = std::max(step, (total - first) / o.request.output);
  s.first_token = std::max(queue, Seconds{}) + first;
  s.latency = s.first_token + (o.request.output - 1) * s.output_token;
  return s;
}

/// k passes of the draft, then one of the target over the window and the token before it.
SpeculationFigures window_of(const Deployment& d, const OperatingPoint& o, const PointValues& v, double sequences) {
  using enum Parameter;
  const bool is_tree = v.choice<Speculation>(speculation) == Speculation::tree;
  const bool is_linear = v.number_or(acceptance_rule, 0.0) == index_of(AcceptanceRule::linear);
  const double window = v.number(draft_window);
  const double a = v.number(acceptance);
  Decode decode = decode_of(o.request, sequences);
  Seconds draft;
  for (double pass = 1; pass <= window; ++pass) {
    decode.step_tokens = is_tree ? drafted_from(pass) : 1.0;
    draft += decode_time(*d.draft, decode);
  }
  decode.step_tokens = v.number_or(verified_tokens, is_tree ? tree_tokens(window) : window + 1);
  SpeculationFigures figures;
  if (is_tree)
    figures.tokens = is_linear ? linear_tree_acceptance(a, window) : exact_tree_acceptance(a, window);
  else
    figures.tokens = is_linear ? linear_acceptance(a, window) : exact_acceptance(a, window);
  figures.draft = draft.value();
  figures.verification = decode_time(d.costs, decode).value();
  return figures;
}

void write_phase(Figures& figures, const Deployment& d, const OperatingPoint& o, Phase phase, double batch) {
  const Prompts prompts = prompts_of(o.request, batch);
  const Decode decode = decode_of(o.request, batch);
  const double steps = phase == Phase::request ? o.request.output : phase == Phase::decode ? 1.0 : 0.0;
  const double stages = d.costs.pipeline;
  Parts parts = steps * decode_parts(d.costs, decode);
  Seconds time = steps * decode_time(d.costs, decode);
  Flop flop = steps * decode_flop(d.costs, decode);
  if (phase != Phase::decode) {
    parts = parts + (1 / stages) * prompt_parts(d.costs, prompts);
    time += prefill_time(d.costs, prompts);
    flop += prompt_flop(d.costs, prompts);
  }
  figures[Metric::compute_time] = parts.compute.value();
  figures[Metric::memory_time] = parts.memory.value();
  figures[Metric::network_time] = parts.network.value();
  figures[Metric::host_time] = parts.host.value();
  figures[Metric::model_flops_utilization] = flop / time / d.costs.peak;
}

void write_memory(Figures& figures, const Deployment& d, const OperatingPoint& o) {
  const Bytes used = memory_used(d.capacity, o.tokens, o.batch);
  figures[Metric::memory_used] = used.value();
  figures[Metric::weight_memory] = d.capacity.weights.value();
  figures[Metric::cache_memory] = cache_bytes(d.capacity, o.tokens, o.batch).value();
  figures[Metric::max_batch] = std::max(0.0, std::floor(o.fits));
  if (o.status == Status::out_of_memory) figures[Metric::shortfall] = used / d.capacity.memory;
}

}  // namespace

Figures physical_figures(const Deployment& d, const PointValues& v) {
  using enum Parameter;
  const OperatingPoint o = operating_point(d, v);
  Figures figures;
  figures.status = o.status;
  if (o.status != Status::ok && o.status != Status::out_of_memory) return figures;
  const Service s = is_static(v) ? static_service(d, o) : in_flight_service(d, o, v);
  const double sequences = o.replicas * s.batch * o.request.beams;
  figures[Metric::time_to_first_token] = s.first_token.value();
  figures[Metric::time_per_output_token] = s.output_token.value();
  figures[Metric::request_latency] = s.latency.value();
  figures[Metric::token_rate_per_user] = 1 / s.output_token.value();
  figures[Metric::request_rate] = o.replicas * s.request_rate;
  figures[Metric::token_rate] = figures[Metric::request_rate] * o.request.output;
  figures[Metric::prefill_rate] =
      o.replicas * s.batch * o.request.prompt / prefill_time(d.costs, prompts_of(o.request, s.batch)).value();
  figures[Metric::decode_rate] = sequences / decode_time(d.costs, decode_of(o.request, s.batch)).value();
  figures[Metric::best_batch] = s.batch;
  write_memory(figures, d, o);
  write_phase(figures, d, o, v.choice<Phase>(phase), s.batch);
  const double devices = o.replicas * d.devices;
  write_costs(figures, devices, devices * d.price.value(), devices * d.power.value(), v.number(device_hour_price));
  if (v.choice<Speculation>(speculation) != Speculation::none)
    write_speculation(figures, window_of(d, o, v, s.batch), sequences);
  return figures;
}

}  // namespace dfsweep::serving
