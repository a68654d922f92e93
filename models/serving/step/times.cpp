#include "models/serving/step/times.hpp"

#include "models/serving/step/priced_times.hpp"

namespace dfsweep::serving {

PricedTime prompt_priced_time(const Costs& costs, const Prompts& prompts) {
  return prompt_steps(costs, prompts) *
         priced_time(costs, detail::prompt_load(costs, prompts), prompt_step_tokens(costs, prompts).all, 1);
}

Seconds decode_time(const Costs& costs, const Decode& decode) {
  return decode_time(costs, decode, products_time(costs, decode_step_tokens(costs, decode)));
}

PricedTime decode_priced_time(const Costs& costs, const Decode& decode) {
  return priced_time(costs, detail::decode_load(costs, decode), decode_step_tokens(costs, decode).all,
                     decode.step_tokens);
}

}  // namespace dfsweep::serving
