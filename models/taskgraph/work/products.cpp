#include "models/taskgraph/work/products.hpp"

#include <algorithm>

namespace dfsweep::taskgraph {

namespace {

Seconds roofline(Flop flop, double words, const DeviceRates& device) {
  return std::max(flop * device.per_flop, words * device.word * device.per_byte);
}

}  // namespace

Seconds product_time(const Product& product, const DeviceRates& device) {
  return roofline(flop_of(product), words_of(product), device);
}

Seconds materialized_attention_time(const AttentionCore& core, const DeviceRates& device) {
  return product_time(scores_of(core), device) + product_time(weighted_sum_of(core), device);
}

Seconds flash_attention_time(const AttentionCore& core, const DeviceRates& device) {
  const double words = 2.0 * (core.count * core.rows + core.key_count * core.context) * core.width;
  return roofline(flop_of(core), words, device);
}

}  // namespace dfsweep::taskgraph
