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

Seconds in_flight_time(const Costs& costs, const Request& r, double count) {
  const Prompts prompts = prompts_of(r, count);
  const Decode decode = decode_of(r, count);
  const double chunk = std::min(prompts.all_tokens(), r.chunk);
  const double tokens = stage_sequences(costs, decode) * r.step_tokens;
  const Seconds saved = products_time(costs, chunk) + products_time(costs, tokens) -
                        products_time(costs, chunk + tokens) + costs.exchange_step + costs.host;
  // One prompt alone is read before its answer starts.
  const double mixed = count > 1 ? std::min(prompts.steps(), r.output * costs.pipeline) : 0.0;
  return prefill_time(costs, prompts) + r.output * decode_time(costs, decode) - mixed * saved / costs.pipeline;
}

Seconds finite_time(const Costs& costs, const Request& r, double count, double requests) {
  const Seconds full = in_flight_time(costs, r, count);
  const double rounds = requests / count;
  const double whole = std::ceil(rounds) - 1;
  const double rest = requests - whole * count;
  return 0.5 * (std::max(rounds, 1.0) * full + whole * full + in_flight_time(costs, r, rest));
}

double batch_within(const Costs& costs, const Request& r, double most, Seconds limit) {
  return largest(0.0, most, [&](double n) { return in_flight_time(costs, r, std::max(n, 1e-9)) <= r.output * limit; });
}

double batch_at_load(const Costs& costs, const Request& r, double most, double load) {
  const double rate = load * most / in_flight_time(costs, r, most).value();
  return largest(0.0, most, [&](double n) { return n / in_flight_time(costs, r, std::max(n, 1e-9)).value() <= rate; });
}

}  // namespace dfsweep::serving
