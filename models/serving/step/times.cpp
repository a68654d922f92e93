#include "models/serving/step/times.hpp"

#include "models/serving/step/priced_times.hpp"

namespace dfsweep::serving {

Seconds lone_prefill_time(const Costs& costs, const Prompts& prompts) {
  const double steps = prompt_steps(costs, prompts);
  return (steps + costs.pipeline - 1) / (steps * costs.pipeline) * prompt_work(costs, prompts);
}

PricedTime prompt_priced_time(const Costs& costs, const Prompts& prompts) {
  return prompt_steps(costs, prompts) *
         priced_time(costs, detail::prompt_load(costs, prompts), prompt_step_tokens(costs, prompts).all, 1);
}

Seconds decode_time(const Costs& costs, const Decode& decode) {
  return decode_time(costs, decode, products_time(costs, decode_step_tokens(costs, decode)));
}

Seconds decode_time(const Costs& costs, const Decode& decode, Seconds products) {
  return products + rank_rest_time(costs, detail::decode_load(costs, decode), decode.step_tokens) +
         shared_rest_time(costs);
}

PricedTime decode_priced_time(const Costs& costs, const Decode& decode) {
  return priced_time(costs, detail::decode_load(costs, decode), decode_step_tokens(costs, decode).all,
                     decode.step_tokens);
}

}  // namespace dfsweep::serving
