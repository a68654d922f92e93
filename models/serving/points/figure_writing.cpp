#include "models/serving/points/figure_writing.hpp"

#include <algorithm>
#include <cmath>

#include "models/cost/columns.hpp"
#include "models/machine/token_costs.hpp"
#include "models/queueing/steady/closed_form_error.hpp"

namespace dfsweep::serving {

Seconds lone_prompts_time(const Deployment& d, const Prompts& prompts) {
  const Seconds target = lone_prefill_time(d.costs, prompts);
  return d.steps.draft() != nullptr ? target + lone_prefill_time(*d.steps.draft(), prompts) : target;
}

SpeculationWindow window_of(const Deployment& d, const Request& request, double batch) {
  const Decode decode = decode_of(request, batch);
  const Seconds verification = decode_time(d.costs, decode);
  return {request.accepted, std::max(Seconds{}, window_time(d, decode) - verification), verification};
}

void write_memory(Figures& figures, const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  const Bytes cache = cache_bytes(d.capacity, demand.tokens, o.batch);
  const Bytes prompts = d.prefill ? prompt_memory_needed(d, demand) : Bytes{};
  figures[Metric::memory_used] = std::max(memory_used(d.capacity, cache), prompts).value();
  figures[Metric::weight_memory] = d.capacity.weights.value();
  figures[Metric::cache_memory] = cache.value();
  figures[Metric::max_batch] = std::isfinite(o.fits) ? std::max(0.0, std::floor(o.fits)) : absent;
  if (figures.status == Status::out_of_memory) {
    const double answers = memory_needed(d, demand, o.batch) / d.capacity.memory;
    figures[Metric::shortfall] = std::max({1.0, answers, prompts / d.capacity.memory});
  }
}

void write_queueing_errors(Figures& figures, const Deployment& d, const Demand& demand, const Service& s) {
  const queueing::ClosedFormError& error =
      queueing::closed_form_error({d.ranks, demand.mean.prompt / d.rules.chunk_tokens, s.load});
  figures[Metric::first_token_queueing_error] = error.first_token;
  figures[Metric::token_time_queueing_error] = error.token_time;
}

void write_costs(Figures& figures, const Deployment& d, const Demand& demand, double devices, Watts average) {
  const double token_rate = figures[Metric::token_rate];
  const cost::OwnedSystem system{devices * d.bill.price, devices * (average + cost::rest_of_node(d.bill))};
  const double hour_price = cost::device_hour_price(demand.device_hour_price, system, demand.ownership, devices);
  const YieldingDevices all{devices, system.average_power, hour_price, token_rate};
  figures[Metric::token_rate_per_device] = token_rate / devices;
  figures[Metric::system_cost] = system.price.value();
  figures[Metric::system_power] = (devices * d.bill.power).value();
  const auto set = [&](Metric metric, double value) { figures[metric] = value; };
  cost::write_sources<Metric>(set, d.bill.price_source, d.bill.power_source);
  cost::write_watts<Metric>(set, {average, system.average_power, devices, token_rate}, d.bill.has_measured_watts);
  cost::write_ownership<Metric>(set, system, demand.ownership);
  figures[Metric::energy_per_token] = energy_per_token(all);
  figures[Metric::cost_per_million_tokens] = cost_per_million_tokens(all);
}

void write_coverage(Figures& figures, const Deployment& d, const OperatingPoint& o, Phase phase, const Service& s) {
  const double batch = together(s.batch);
  const double steps = phase == Phase::request ? o.request.output - 1 : phase == Phase::decode ? 1.0 : 0.0;
  PricedTime priced;
  Seconds time;
  if (steps > 0) {
    const Decode decode = decode_of(o.request, batch);
    priced = steps / o.request.accepted * decode_priced_time(d.costs, decode);
    time = steps / o.request.accepted * decode_time(d.costs, decode);
  }
  if (phase != Phase::decode) {
    const Prompts prompts = prompts_of(o.request, batch);
    priced = priced + 1 / d.costs.pipeline * prompt_priced_time(d.costs, prompts);
    time += prompts_time(d, prompts);
  }
  const double coverage = std::min(1.0, priced.time / time);
  const double of_tables = priced.time > Seconds{} ? priced.error / priced.time : 0.0;
  figures[Metric::coverage] = coverage;
  // Operators that are known better than the engine around them do not make steps better known.
  figures[Metric::expected_error] =
      coverage * std::max(d.expected_error, of_tables) + (1 - coverage) * d.expected_error;
}

void write_speculation(Figures& figures, const Deployment& d, const OperatingPoint& o, double batch, double sequences) {
  const SpeculationWindow window = window_of(d, o.request, batch);
  const double rate = speculative_rate(window, sequences);
  Decode plain = decode_of(o.request, batch);
  plain.step_tokens = 1.0;
  figures[Metric::acceptance_length] = window.tokens;
  figures[Metric::draft_time] = window.draft.value();
  figures[Metric::verification_time] = window.verification.value();
  figures[Metric::speculative_rate] = rate;
  figures[Metric::speedup] = rate * decode_time(d.costs, plain).value() / sequences;
}

TimeSource time_source_of(const PoolPrices* prices) {
  const auto any = [prices](auto member) {
    return prices != nullptr && (prices->answers.*member != 0 || (prices->prompts && (*prices->prompts).*member != 0));
  };
  if (any(&StepPrices::far)) return TimeSource::far_operators;
  return any(&StepPrices::priced) ? TimeSource::operators : TimeSource::roofline;
}

void write_times(Figures& figures, const Service& s, const OperatingPoint& o) {
  figures[Metric::time_to_first_token] = s.first_token.value();
  figures[Metric::time_per_output_token] = s.output_token.value();
  figures[Metric::request_latency] = s.latency.value();
  figures[Metric::waiting_time] = s.waiting.value();
  figures[Metric::token_rate_per_user] = 1 / s.output_token.value();
  figures[Metric::request_rate] = s.request_rate;
  figures[Metric::token_rate] = s.request_rate * o.request.output;
  figures[Metric::users] = s.users;
  figures[Metric::cache_use] = s.cache_use;
  figures[Metric::running_batch] = s.batch;
}

void write_quantiles(Figures& figures, const queueing::SimulatedLoad& load, double within_limits) {
  using enum Metric;
  const auto write = [&](Metric p50, Metric p90, Metric p99, const queueing::TimeSummary& times) {
    figures[p50] = times.p50;
    figures[p90] = times.p90;
    figures[p99] = times.p99;
  };
  write(time_to_first_token_p50, time_to_first_token_p90, time_to_first_token_p99, load.first_token);
  write(time_per_output_token_p50, time_per_output_token_p90, time_per_output_token_p99, load.token_time);
  write(request_latency_p50, request_latency_p90, request_latency_p99, load.latency);
  write(waiting_time_p50, waiting_time_p90, waiting_time_p99, load.waiting_time);
  figures[goodput] = within_limits * load.request_rate;
  figures[preemptions] = static_cast<double>(load.preemptions) / static_cast<double>(load.requests);
}

}  // namespace dfsweep::serving
