#include "models/training/communication/layer_exchange.hpp"

namespace dfsweep::training {

Seconds tensor_exchange(const Architecture& a, const Execution& e, const GroupPlace& group, const Network& network,
                        const LinkEfficiency& links) {
  return 2 * all_reduce_time(Bytes{2 * tokens_per_device(e) * a.hidden}, group, network, links);
}

Seconds expert_exchange(const Architecture& a, const Execution& e, const Placement& placement, const Network& network,
                        const LinkEfficiency& links) {
  const Bytes tokens{2 * tokens_per_device(e) / e.parallel.tensor * a.hidden * e.capacity_factor};
  const Bytes gathered = e.parallel.expert_tensor * a.experts.per_token * tokens;
  return 2 * dispatch_time(tokens, a.experts.per_token, placement.expert, network, links) +
         2 * one_pass_time(gathered, placement.expert_tensor, network, links);
}

Seconds context_exchange(const Architecture& a, const Execution& e, const GroupPlace& group, const Network& network,
                         const LinkEfficiency& links) {
  const double tokens = tokens_per_device(e);
  const double width = (key_dim(a) + value_dim(a)) / e.parallel.tensor;
  const Bytes keys_values{2 * tokens * a.key_value_heads * width};
  if (e.context_exchange == ContextExchange::ring)
    return one_pass_time(e.parallel.context * keys_values, group, network, links);
  const Bytes queries_results{2 * tokens * a.heads * width};
  return all_to_all_time(keys_values + queries_results, group, network, links);
}

}  // namespace dfsweep::training
