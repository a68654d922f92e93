/// Writing of figures: metrics of a point, or of several in lanes, from their service, deployment and demand.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "models/cost/columns.hpp"
#include "models/machine/token_costs.hpp"
#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/closed_form_error.hpp"
#include "models/serving/points/batch_work.hpp"
#include "models/serving/points/figures.hpp"
#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

/// Until prompts are read by the target and by the draft model, where there is one, if they are alone.
[[nodiscard]] Seconds lone_prompts_time(const Deployment& deployment, const Prompts& prompts);

/// Passes of the draft model, then one of the target over the window and the token before it.
[[nodiscard]] SpeculationWindow window_of(const Deployment& deployment, const Request& request, double batch);

void write_quantiles(Figures& figures, const queueing::SimulatedLoad& load, double within_limits);

/// How far the memory of a batch that does not fit exceeds that of a device, at least 1.
[[nodiscard]] double memory_shortfall(const Deployment& deployment, const Demand& demand, double batch);

/// Functions below write points of one deployment and demand, but for users or rates. `out`: Figures of a point, or
/// FigureColumns::Points; `o`: of one of the points.

/// What the times of a deployment follow from. `prices`: null without measured operators.
[[nodiscard]] TimeSource time_source_of(const PoolPrices* prices);
/// Of all pools.
[[nodiscard]] inline double devices_of(const Deployment& d, const OperatingPoint& o) {
  return o.replicas * d.devices + (d.prefill ? o.prefill_replicas * d.prefill->devices : 0.0);
}
/// What users and rates do not change.
template <class Out>
void write_deployment(Out& out, const Deployment& d, const OperatingPoint& o) {
  out.set(Metric::time_source, static_cast<double>(index_of(time_source_of(d.prices.get()))));
  out.set(Metric::compute_precision, static_cast<double>(index_of(d.products.value_or(NumberFormat::bf16))));
  out.set(Metric::evidence, static_cast<double>(index_of(d.evidence)));
  out.set(Metric::expected_error, d.expected_error);
  out.set(Metric::expected_memory_error, d.expected_memory_error);
  out.set(Metric::max_batch, std::isfinite(o.fits) ? std::max(0.0, std::floor(o.fits)) : absent);
  out.set(Metric::weight_memory, d.capacity.weights.value());
  const double devices = devices_of(d, o);
  out.set(Metric::system_cost, (devices * d.bill.price).value());
  out.set(Metric::system_power, (devices * d.bill.power).value());
  const auto set = [&](Metric metric, const auto& value) { out.set(metric, value); };
  cost::write_sources<Metric>(set, d.bill.price_source, d.bill.power_source);
}

/// `batch`: of a replica, as OperatingPoint has it.
template <class Out, class Number>
void write_memory(Out& out, const Deployment& d, const Demand& demand, const Number& batch) {
  const InLanes<Bytes, Number> cache = cache_bytes(d.capacity, demand.tokens, batch);
  const Bytes prompts = d.prefill ? prompt_memory_needed(d, demand) : Bytes{};
  out.set(Metric::memory_used, greater(memory_used(d.capacity, cache), prompts).value());
  out.set(Metric::cache_memory, cache.value());
  if (demand.batch <= 0 && out.wants(Metric::best_batch))
    out.set(Metric::best_batch, by_lane<Number>([&](std::size_t i) { return std::ceil(lane(batch, i)); }));
}

/// Times, rates and numbers of requests.
template <class Out, class Number>
void write_service(Out& out, const BasicService<Number>& s, const OperatingPoint& o) {
  out.set(Metric::time_to_first_token, s.first_token.value());
  out.set(Metric::time_per_output_token, s.output_token.value());
  out.set(Metric::request_latency, s.latency.value());
  out.set(Metric::waiting_time, s.waiting.value());
  out.set(Metric::token_rate_per_user, 1.0 / s.output_token.value());
  out.set(Metric::request_rate, s.request_rate);
  out.set(Metric::token_rate, s.request_rate * o.request.output);
  out.set(Metric::users, s.users);
  out.set(Metric::cache_use, s.cache_use);
  out.set(Metric::running_batch, s.batch);
  const Number batch = together(s.batch);
  out.set(Metric::prefill_rate, o.replicas * batch * o.request.prompt / s.prefill.value());
  out.set(Metric::decode_rate, o.replicas * batch * o.request.beams / s.step.value());
}

template <class Out, class Number>
void write_phase(Out& out, WantedParts wanted, const BasicPhaseWork<Number>& work) {
  out.set(Metric::compute_time, work.parts.compute.value());
  out.set(Metric::memory_time, work.parts.memory.value());
  out.set(Metric::network_time, work.parts.network.value());
  out.set(Metric::host_time, work.parts.host.value());
  if (wanted.flops) out.set(Metric::model_flops_utilization, work.flop_share);
}

/// `average`: of a device.
template <class Out, class Number>
void write_average_power(Out& out, const Deployment& d, const Demand& demand, double devices, const Number& token_rate,
                         const InLanes<Watts, Number>& average) {
  const cost::BasicOwnedSystem<Number> system{devices * d.bill.price, devices * (average + cost::rest_of_node(d.bill))};
  const Number hour_price = cost::device_hour_price(demand.device_hour_price, system, demand.ownership, devices);
  const BasicYieldingDevices<Number> all{devices, system.average_power, hour_price, token_rate};
  const auto set = [&](Metric metric, const auto& value) { out.set(metric, value); };
  cost::write_watts<Metric>(set, cost::BasicAveragePower<Number>{average, system.average_power, devices, token_rate},
                            d.bill.has_measured_watts);
  cost::write_ownership<Metric>(set, system, demand.ownership);
  out.set(Metric::energy_per_token, energy_per_token(all));
  out.set(Metric::cost_per_million_tokens, cost_per_million_tokens(all));
}

/// How exact the closed form is for such servers. `load`: of an open stream, as Service has it. Pre: prompts and
/// answers share the servers.
template <class Out, class Number>
void write_queueing_errors(Out& out, const Deployment& d, const Demand& demand, const Number& load) {
  const auto error = [&](std::size_t i) {
    return queueing::closed_form_error(
        {d.ranks, demand.mean.prompt / d.rules.chunk_tokens, demand.mean.output, lane(load, i)});
  };
  out.set(Metric::first_token_queueing_error, by_lane<Number>([&](std::size_t i) { return error(i).first_token; }));
  out.set(Metric::token_time_queueing_error, by_lane<Number>([&](std::size_t i) { return error(i).token_time; }));
}

/// The share of a phase's time that is from measured operators, and the error that is expected then. Pre: the
/// deployment has prices.
struct Coverage {
  double share = 0.0;
  double expected_error = 0.0;
};
[[nodiscard]] Coverage coverage_of(const Deployment& deployment, const OperatingPoint& o, Phase phase, double batch);
template <class Out, class Number>
void write_coverage(Out& out, const Deployment& d, const OperatingPoint& o, Phase phase, const Number& batch) {
  std::array<Coverage, lane_count<Number>> found;
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = coverage_of(d, o, phase, lane(batch, i));
  out.set(Metric::coverage, by_lane<Number>([&](std::size_t i) { return found[i].share; }));
  out.set(Metric::expected_error, by_lane<Number>([&](std::size_t i) { return found[i].expected_error; }));
}

struct SpeculationFigures {
  SpeculationWindow window;
  double rate = 0.0;
  double speedup = 0.0;
};
[[nodiscard]] SpeculationFigures speculation_figures(const Deployment& deployment, const OperatingPoint& o,
                                                     double batch);
/// `batch`: requests of a replica at once.
template <class Out, class Number>
void write_speculation(Out& out, const Deployment& d, const OperatingPoint& o, const Number& batch) {
  std::array<SpeculationFigures, lane_count<Number>> found;
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = speculation_figures(d, o, lane(batch, i));
  const auto set = [&](Metric metric, const auto& of) {
    out.set(metric, by_lane<Number>([&](std::size_t i) { return of(found[i]); }));
  };
  using Of = const SpeculationFigures&;
  set(Metric::acceptance_length, [](Of f) { return f.window.tokens; });
  set(Metric::draft_time, [](Of f) { return f.window.draft.value(); });
  set(Metric::verification_time, [](Of f) { return f.window.verification.value(); });
  set(Metric::speculative_rate, [](Of f) { return f.rate; });
  set(Metric::speedup, [](Of f) { return f.speedup; });
}

/// What the batch of a replica decides. `batch`: as OperatingPoint has it; `s`: its service.
template <class Out, class Number>
void write_batch(Out& out, WantedParts wanted, const Deployment& d, const Demand& demand, const OperatingPoint& o,
                 const Number& batch, const BasicService<Number>& s, const BasicBatchWork<Number>& work) {
  write_service(out, s, o);
  write_memory(out, d, demand, batch);
  if (wanted.coverage && d.prices) write_coverage(out, d, o, demand.phase, together(s.batch));
  if (wanted.phase) write_phase(out, wanted, work.phase);
  const Number token_rate = s.request_rate * o.request.output;
  const double devices = devices_of(d, o);
  out.set(Metric::token_rate_per_device, token_rate / devices);
  if (wanted.watts) write_average_power<Out, Number>(out, d, demand, devices, token_rate, work.average);
  if (demand.speculation.form != Speculation::none) write_speculation(out, d, o, together(s.batch));
}

}  // namespace dfsweep::serving
