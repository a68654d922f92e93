#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

Seconds materialized_attention_time(const AttentionCore& core, const DeviceRates& device) {
  return product_time(scores_of(core), device) + product_time(weighted_sum_of(core), device);
}

}  // namespace dfsweep::taskgraph
