#include "models/serving/points/demand.hpp"

#include <algorithm>

namespace dfsweep::serving {

namespace {

using enum Parameter;

constexpr Parameter parameters_of_demand[] = {device_count,
                                              phase,
                                              batch,
                                              prompt_tokens,
                                              output_tokens,
                                              requests,
                                              speculation,
                                              draft_window,
                                              acceptance,
                                              acceptance_rule,
                                              verified_tokens,
                                              device_hour_price,
                                              batching,
                                              concurrency,
                                              batch_limit,
                                              time_per_output_token_limit,
                                              load,
                                              shared_prompt_tokens,
                                              beams};

SpeculationDemand speculation_of(const PointValues& v) {
  const double window = v.number(draft_window);
  SpeculationDemand d;
  d.form = v.choice<Speculation>(speculation);
  d.window = window;
  d.verified_tokens = v.number_or(verified_tokens, d.form == Speculation::tree ? tree_tokens(window) : window + 1);
  d.accepted = accepted_tokens(d.form, v.choice<AcceptanceRule>(acceptance_rule), v.number(acceptance), window);
  return d;
}

}  // namespace

Demand demand_of(const PointValues& v) {
  Demand d;
  Request& r = d.request;
  r.prompt = v.number(prompt_tokens);
  // At least one token of every prompt is computed: it gives the first token of the answer.
  r.shared = std::min(v.number(shared_prompt_tokens), r.prompt - 1);
  r.output = v.number(output_tokens);
  r.beams = v.number(beams);
  r.step_tokens = v.number_or(verified_tokens, 1.0);
  d.tokens = {.shared = r.shared, .prompt = r.prompt - r.shared, .output = r.output, .beams = r.beams};
  d.devices = v.number(device_count);
  d.batch = v.number_or(batch, 0.0);
  d.requests = v.number_or(requests, 0.0);
  d.concurrency = v.number_or(concurrency, 0.0);
  d.batch_limit = v.number(batch_limit);
  d.step_limit = v.number(time_per_output_token_limit);
  d.load = v.number(load);
  d.device_hour_price = v.number(device_hour_price);
  d.batching = v.choice<Batching>(batching);
  d.phase = v.choice<Phase>(phase);
  d.speculation = speculation_of(v);
  return d;
}

std::span<const Parameter> demand_parameters() {
  return parameters_of_demand;
}

}  // namespace dfsweep::serving
