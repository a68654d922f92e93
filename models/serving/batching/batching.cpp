#include "models/serving/batching/batching.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

/// Products of `chunks` chunks of prompts of which some carry answers of b tokens: as many as the steps of answers, or
/// all of them, evenly, where these are more and that is faster.
/// `of_chunk`: products_time of a chunk.
Seconds products_of_both(const Costs& costs, StepTokens chunk, Seconds of_chunk, double chunks, StepTokens tokens,
                         double steps) {
  const double both = std::min(chunks, steps);
  const Seconds apart = (chunks - both) * of_chunk + both * products_time(costs, chunk + tokens);
  if (chunks <= steps) return apart;
  return std::min(apart, chunks * products_time(costs, chunk + steps / chunks * tokens));
}

/// Of all prompts of a batch.
struct PromptTimes {
  Seconds all;    ///< without answers
  Seconds added;  ///< by which they prolong the answers
};

PromptTimes operator+(const PromptTimes& a, const PromptTimes& b) {
  return {a.all + b.all, a.added + b.added};
}

/// `of_step`: products_time of a step that decodes.
PromptTimes prompt_times(const Costs& costs, const Request& r, const Decode& decode, Seconds of_step, double count) {
  const Prompts prompts = prompts_of(r, count);
  const StepTokens chunk = prompt_step_tokens(costs, prompts);
  const StepTokens tokens = decode_step_tokens(costs, decode);
  const Seconds of_chunk = products_time(costs, chunk);
  const double chunks = prompt_steps(costs, prompts);
  const double steps = (r.output - 1) / r.accepted * costs.pipeline;
  const Seconds saved = chunks * of_chunk + std::min(chunks, steps) * (of_step + costs.exchange_step + costs.host) -
                        products_of_both(costs, chunk, of_chunk, chunks, tokens, steps);
  const Seconds launches = chunks * costs.prompt_launch;
  const Seconds device_time = prompt_device_time(costs, prompts, of_chunk);
  return {launched(launches, device_time) / costs.pipeline, launched(launches, device_time - saved) / costs.pipeline};
}

}  // namespace

InFlight flight_of_request(const Request& r, double count, Seconds alone, Seconds added, Seconds step) {
  const double others = std::max(0.0, count - 1);
  const double waited = std::min(1.0, others) / 2;
  const double later_tokens = r.output - 1;
  const Seconds later = (others - waited) / std::max(1.0, count) * added;
  InFlight flight;
  flight.step = flight.output_token = step;
  flight.first_token = (1 + waited) * alone;
  if (later_tokens > 0)
    flight.output_token += later / later_tokens;
  else
    flight.first_token += later;
  flight.total = flight.first_token + later_tokens * flight.output_token;
  return flight;
}

InFlight in_flight(const Costs& costs, const Request& r, double count, Seconds alone, Seconds drafts,
                   const Costs* draft) {
  const Decode decode = decode_of(r, count);
  const Seconds of_step = products_time(costs, decode_step_tokens(costs, decode));
  PromptTimes prompts = prompt_times(costs, r, decode, of_step, count);
  if (draft != nullptr) {
    Decode drafted = decode;
    drafted.step_tokens = 1.0;
    const Seconds of_pass = products_time(*draft, decode_step_tokens(*draft, drafted));
    prompts = prompts + prompt_times(*draft, r, drafted, of_pass, count);
  }
  InFlight flight = flight_of_request(r, count, alone, prompts.added,
                                      (1 / r.accepted) * (decode_time(costs, decode, of_step) + drafts));
  flight.prefill = prompts.all;
  return flight;
}

}  // namespace dfsweep::serving
