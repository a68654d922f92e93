#include "models/inference/serving/batching/batching.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

/// The largest n in [low, high] with holds(n), to a part in 10^9; `low` where none. Pre: holds falls from true to
/// false.
template <class Holds>
double largest(double low, double high, Holds holds) {
  if (holds(high)) return high;
  while (high - low > 1e-9 * high) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Prompts prompts_of(const Request& r, double count) {
  return {.count = count, .tokens = r.prompt - r.shared, .shared = r.shared, .chunk = r.chunk};
}

Decode decode_of(const Request& r, double count) {
  return {.sequences = count * r.beams, .context = r.mean_context(), .step_tokens = r.step_tokens};
}

Seconds static_time(const Costs& costs, const Request& r, double count) {
  return prefill_time(costs, prompts_of(r, count)) + (r.output - 1) * decode_time(costs, decode_of(r, count));
}

InFlight in_flight(const Costs& costs, const Request& r, double count) {
  const Prompts prompts = prompts_of(r, count);
  const Decode decode = decode_of(r, count);
  const double chunk = prompts.step_tokens();
  const double tokens = stage_sequences(costs, decode) * r.step_tokens;
  const Seconds of_chunk = products_time(costs, chunk);
  const Seconds of_step = products_time(costs, tokens);
  InFlight flight;
  flight.prefill = prompt_work(costs, prompts, of_chunk) / costs.pipeline;
  flight.step = decode_time(costs, decode, of_step);
  flight.total = flight.prefill + r.output * flight.step;
  if (count <= 1) return flight;  // one prompt alone is read before its answer starts
  const Seconds saved = of_chunk + of_step - products_time(costs, chunk + tokens) + costs.exchange_step + costs.host;
  flight.total -= std::min(prompts.steps(), r.output * costs.pipeline) / costs.pipeline * saved;
  return flight;
}

Seconds finite_time(const Costs& costs, const Request& r, double count, double requests, const InFlight& full) {
  const double rounds = requests / count;
  const double whole = std::ceil(rounds) - 1;
  const double rest = requests - whole * count;
  const Seconds last = rest == count ? full.total : in_flight(costs, r, rest).total;
  return 0.5 * ((std::max(rounds, 1.0) + whole) * full.total + last);
}

double batch_within(const Costs& costs, const Request& r, double most, Seconds limit) {
  return largest(0.0, most, [&](double n) { return in_flight(costs, r, std::max(n, 1e-9)).total <= r.output * limit; });
}

double batch_at_load(const Costs& costs, const Request& r, double most, double load) {
  const double rate = load * most / in_flight(costs, r, most).total.value();
  return largest(0.0, most, [&](double n) { return n <= rate * in_flight(costs, r, std::max(n, 1e-9)).total.value(); });
}

}  // namespace dfsweep::serving
