#include "models/serving/points/figure_writing.hpp"

#include <algorithm>

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

double memory_shortfall(const Deployment& d, const Demand& demand, double batch) {
  const Bytes prompts = d.prefill ? prompt_memory_needed(d, demand) : Bytes{};
  return std::max({1.0, memory_needed(d, demand, batch) / d.capacity.memory, prompts / d.capacity.memory});
}

Coverage coverage_of(const Deployment& d, const OperatingPoint& o, Phase phase, double batch) {
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
  // Operators that are known better than the engine around them do not make steps better known.
  return {coverage, coverage * std::max(d.expected_error, of_tables) + (1 - coverage) * d.expected_error};
}

SpeculationFigures speculation_figures(const Deployment& d, const OperatingPoint& o, double batch) {
  const double sequences = o.replicas * batch * o.request.beams;
  const SpeculationWindow window = window_of(d, o.request, batch);
  const double rate = speculative_rate(window, sequences);
  Decode plain = decode_of(o.request, batch);
  plain.step_tokens = 1.0;
  return {window, rate, rate * decode_time(d.costs, plain).value() / sequences};
}

TimeSource time_source_of(const PoolPrices* prices) {
  const auto any = [prices](auto member) {
    return prices != nullptr && (prices->answers.*member != 0 || (prices->prompts && (*prices->prompts).*member != 0));
  };
  if (any(&StepPrices::far)) return TimeSource::far_operators;
  return any(&StepPrices::priced) ? TimeSource::operators : TimeSource::roofline;
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
