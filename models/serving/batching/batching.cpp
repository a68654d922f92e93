#include "models/serving/batching/batching.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

Prompts prompts_of(const Request& r, double count) {
  return {.count = count, .tokens = r.prompt - r.shared, .shared = r.shared, .chunk = r.chunk};
}

Decode decode_of(const Request& r, double count) {
  return {.sequences = count * r.beams, .context = r.mean_context(), .step_tokens = r.step_tokens};
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

}  // namespace dfsweep::serving
