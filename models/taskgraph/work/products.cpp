#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

Seconds materialized_attention_time(const AttentionCore& core, const DeviceRates& device) {
  return product_time(scores_of(core), device) + product_time(weighted_sum_of(core), device);
}

Seconds flash_attention_time(const AttentionCore& core, const DeviceRates& device) {
  const double words = 2.0 * (core.count * core.rows + core.key_count * core.context) * core.width;
  return roofline_time(flop_of(core), words, device);
}

}  // namespace dfsweep::taskgraph
