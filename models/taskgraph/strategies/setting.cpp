#include "models/taskgraph/strategies/setting.hpp"

#include "models/taskgraph/strategies/expert_work.hpp"

namespace dfsweep::taskgraph {

PartTimes attention_times(const AttentionWork& work, const Setting& setting, const DeviceRates& device) {
  PartTimes times;
  times.of[Part::attention] = products_of_one_input(work.projections[0], work.projections[1], device) +
                              product_time(work.projections[2], device) +
                              attention_core_time(work.core, setting.attention_time, device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  if (setting.nodes == Nodes::operators) [[unlikely]]
    times.of[Part::other] = operator_time(attention_operators(setting.model, work).words(), device);
  return times;
}

PartTimes ffn_times(const FfnWork& work, const Setting& setting, const DeviceRates& device) {
  PartTimes times;
  if (work.routed_tokens > 0.0) [[unlikely]]
    times.of[Part::ffn] = expert_time(expert_work(setting.model, work.routed_tokens, work.exchange.devices), device);
  else
    times.of[Part::ffn] = products_of_one_input(work.products[0], {}, device) + product_time(work.products[1], device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  if (setting.nodes == Nodes::operators) [[unlikely]]
    times.of[Part::other] = operator_time(ffn_operators(setting.model, work).words(), device);
  return times;
}

}  // namespace dfsweep::taskgraph
