#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

PartTimes attention_times(const AttentionWork& work, const Setting& setting, const DeviceRates& device) {
  PartTimes times;
  for (const Product& product : work.projections) times.of[Part::attention] += product_time(product, device);
  times.of[Part::attention] += setting.attention_time(work.core, device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  return times;
}

PartTimes ffn_times(const FfnWork& work, const Setting& setting, const DeviceRates& device) {
  PartTimes times;
  for (const Product& product : work.products) times.of[Part::ffn] += product_time(product, device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  return times;
}

}  // namespace dfsweep::taskgraph
