#include "models/calculon/formulas/rejection.hpp"

#include <initializer_list>

namespace dfsweep::calculon {

using enum Rejection;

Rejection degree_rules(const Execution& x) {
  if (x.processors <= 0) return processors_not_positive;
  if (x.tensor_parallel <= 0) return tensor_parallel_not_positive;
  if (x.pipeline_parallel <= 0) return pipeline_parallel_not_positive;
  if (x.data_parallel <= 0) return data_parallel_not_positive;
  if (x.tensor_parallel * x.pipeline_parallel * x.data_parallel != x.processors) return degrees_product;
  return none;
}

Rejection batch_rules(const Execution& x) {
  if (x.global_batch <= 0) return batch_not_positive;
  if (x.micro_batch <= 0) return micro_batch_not_positive;
  if (x.global_batch % x.data_parallel != 0) return batch_not_multiple_of_data_parallel;
  if (x.global_batch / x.data_parallel % x.micro_batch != 0) return local_batch_not_multiple_of_micro_batch;
  return none;
}

Rejection option_rules(const Execution& x) {
  if (x.attention == Attention::unknown) return bad_attention;
  if (x.recompute == Recompute::unknown) return bad_recompute;
  if (x.recompute != Recompute::none && !x.training) return recompute_without_training;
  if (x.optimizer_sharding && x.data_parallel == 1) return optimizer_sharding_with_one_replica;
  if (x.tensor_comm == TensorComm::unknown) return bad_tensor_comm;
  if (x.tensor_overlap == TensorOverlap::unknown) return bad_tensor_overlap;
  if (x.tensor_overlap != TensorOverlap::none && x.tensor_parallel == 1) return tensor_overlap_with_one_processor;
  if (x.sequence_parallel_redo && x.tensor_comm != TensorComm::reduce_scatter_all_gather)
    return redo_without_sequence_parallel;
  if (x.sequence_parallel_redo && x.recompute == Recompute::full) return redo_with_full_recompute;
  if (x.data_overlap && !x.training) return data_overlap_without_training;
  if (x.data_overlap && x.data_parallel == 1) return data_overlap_with_one_replica;
  if (x.optimizer_offload && !x.training) return optimizer_offload_without_training;
  return none;
}

Rejection interleaving_rules(const ModelShape& model, const Execution& x) {
  const std::int64_t blocks = blocks_per_processor(model, x.pipeline_parallel);
  if (x.interleaving <= 0) return interleaving_not_positive;
  if (x.interleaving != 1 && x.pipeline_parallel == 1) return interleaving_with_one_stage;
  if (x.interleaving > blocks) return interleaving_exceeds_blocks;
  if (blocks % x.interleaving != 0) return interleaving_not_factor_of_blocks;
  return none;
}

Rejection network_rules(const System& system, const Execution& x) {
  const auto tiers = static_cast<std::int64_t>(system.networks.size());
  for (const std::int64_t tier : {x.tensor_network, x.pipeline_network, x.data_network})
    if (tier < 0 || tier >= tiers) return network_tier_out_of_range;
  for (std::int64_t tier = 0; tier < tiers; ++tier) {
    const NetworkTier& network = system.networks[static_cast<std::size_t>(tier)];
    std::int64_t used = 1;
    if (x.tensor_network == tier) used *= x.tensor_parallel;
    if (x.pipeline_network == tier) used *= x.pipeline_parallel;
    if (x.data_network == tier) used *= x.data_parallel;
    if (used > network.size) return network_tier_too_small;
    if (network.must_be_filled && network.size % used != 0) return network_tier_not_filled;
  }
  return none;
}

Rejection datatype_rules(const System& system, Datatype datatype) {
  if (datatype == Datatype::unknown) return unknown_datatype;
  return system.has(datatype) ? none : datatype_not_in_system;
}

Rejection offload_rules(const ModelShape& model, const Execution& x) {
  const bool offloads = x.weight_offload || x.activation_offload || x.optimizer_offload;
  return offloads && blocks_per_processor(model, x.pipeline_parallel) <= 2 ? offload_needs_three_blocks : none;
}

Rejection token_rules(const ModelShape& model, const Execution& x) {
  const bool is_split = x.micro_batch * model.sequence % x.tensor_parallel == 0;
  return x.tensor_comm == TensorComm::all_reduce || is_split ? none : tokens_not_multiple_of_tensor_parallel;
}

Rejection tensor_rules(const ModelShape& model, const Execution& x) {
  const std::int64_t t = x.tensor_parallel;
  if (model.hidden % t != 0) return hidden_not_multiple_of_tensor_parallel;
  if (model.feedforward % t != 0) return feedforward_not_multiple_of_tensor_parallel;
  if (model.heads % t != 0) return heads_not_multiple_of_tensor_parallel;
  if (x.tensor_overlap != TensorOverlap::none && model.heads * model.head_size % t != 0)
    return overlapped_size_not_multiple_of_tensor_parallel;
  return none;
}

Rejection rejection_of(const ModelShape& model, const System& system, const Execution& x) {
  Rejection first = degree_rules(x);
  if (first != none) return first;
  for (const Rejection found :
       {batch_rules(x), option_rules(x), interleaving_rules(model, x), network_rules(system, x),
        datatype_rules(system, x.datatype), offload_rules(model, x), token_rules(model, x), tensor_rules(model, x)})
    first = earlier(first, found);
  return first;
}

}  // namespace dfsweep::calculon
