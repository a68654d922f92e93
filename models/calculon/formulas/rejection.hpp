/// Rejections: every reason why an execution cannot be, in the order in which they are tested.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/calculon/formulas/execution.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::calculon {

/// The first rule that an execution breaks is its rejection.
enum class Rejection : std::uint8_t {
  none,
  processors_not_positive,
  tensor_parallel_not_positive,
  pipeline_parallel_not_positive,
  data_parallel_not_positive,
  degrees_product,
  batch_not_positive,
  micro_batch_not_positive,
  batch_not_multiple_of_data_parallel,
  local_batch_not_multiple_of_micro_batch,
  bad_attention,
  bad_recompute,
  recompute_without_training,
  interleaving_not_positive,
  interleaving_with_one_stage,
  optimizer_sharding_with_one_replica,
  bad_tensor_comm,
  bad_tensor_overlap,
  tensor_overlap_with_one_processor,
  redo_without_sequence_parallel,
  redo_with_full_recompute,
  data_overlap_without_training,
  data_overlap_with_one_replica,
  optimizer_offload_without_training,
  network_tier_out_of_range,
  network_tier_too_small,
  network_tier_not_filled,
  unknown_datatype,
  interleaving_exceeds_blocks,
  interleaving_not_factor_of_blocks,
  offload_needs_three_blocks,
  tokens_not_multiple_of_tensor_parallel,
  hidden_not_multiple_of_tensor_parallel,
  feedforward_not_multiple_of_tensor_parallel,
  heads_not_multiple_of_tensor_parallel,
  overlapped_size_not_multiple_of_tensor_parallel,
  datatype_not_in_system,
  memory_tier_1,
  memory_tier_2,
  count
};

/// The published name and one line; `none` is "ok".
struct RejectionInfo {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr auto rejection_rows = std::to_array<published::Row<Rejection, RejectionInfo>>({
    {Rejection::none, {"ok", "runs"}},
    {Rejection::processors_not_positive, {"procs_not_positive", "device_count is not positive"}},
    {Rejection::tensor_parallel_not_positive, {"tensor_par_not_positive", "tensor_parallel is not positive"}},
    {Rejection::pipeline_parallel_not_positive, {"pipeline_par_not_positive", "pipeline_parallel is not positive"}},
    {Rejection::data_parallel_not_positive, {"data_par_not_positive", "data_parallel is not positive"}},
    {Rejection::degrees_product, {"tp_pp_dp_product", "the product of the degrees is not device_count"}},
    {Rejection::batch_not_positive, {"batch_not_positive", "global_batch is not positive"}},
    {Rejection::micro_batch_not_positive, {"microbatch_not_positive", "micro_batch is not positive"}},
    {Rejection::batch_not_multiple_of_data_parallel,
     {"batch_not_multiple_of_dp", "data_parallel does not divide global_batch"}},
    {Rejection::local_batch_not_multiple_of_micro_batch,
     {"local_batch_not_multiple_of_microbatch", "micro_batch does not divide the batch of a replica"}},
    {Rejection::bad_attention, {"bad_attention_type", "Calculon knows multihead and multiquery attention"}},
    {Rejection::bad_recompute, {"bad_recompute_mode", "Calculon does not know this recompute"}},
    {Rejection::recompute_without_training, {"recompute_without_training", "recompute in a forward phase"}},
    {Rejection::interleaving_not_positive, {"interleaving_not_positive", "interleaving is not positive"}},
    {Rejection::interleaving_with_one_stage, {"interleaving_with_pp1", "interleaving with one pipeline stage"}},
    {Rejection::optimizer_sharding_with_one_replica,
     {"optimizer_sharding_with_dp1", "optimizer_sharding with one replica"}},
    {Rejection::bad_tensor_comm, {"bad_tp_comm_type", "Calculon does not know this tensor_comm"}},
    {Rejection::bad_tensor_overlap, {"bad_tp_overlap", "Calculon does not know this tensor_overlap"}},
    {Rejection::tensor_overlap_with_one_processor,
     {"tp_overlap_with_tp1", "tensor_overlap without tensor parallelism"}},
    {Rejection::redo_without_sequence_parallel,
     {"ag_redo_without_rs_ag", "sequence_parallel_redo without sequence parallelism"}},
    {Rejection::redo_with_full_recompute,
     {"ag_redo_with_full_recompute", "sequence_parallel_redo with full recomputation"}},
    {Rejection::data_overlap_without_training, {"dp_overlap_without_training", "data_overlap in a forward phase"}},
    {Rejection::data_overlap_with_one_replica, {"dp_overlap_with_dp1", "data_overlap with one replica"}},
    {Rejection::optimizer_offload_without_training,
     {"optimizer_offload_without_training", "optimizer_offload in a forward phase"}},
    {Rejection::network_tier_out_of_range, {"network_tier_out_of_range", "the system has no such network tier"}},
    {Rejection::network_tier_too_small, {"network_tier_too_small", "the degrees on a network tier exceed its size"}},
    {Rejection::network_tier_not_filled, {"network_tier_not_filled", "a network tier that must be filled is not"}},
    {Rejection::unknown_datatype, {"unknown_datatype", "Calculon knows fp8, fp16, bf16 and fp32"}},
    {Rejection::interleaving_exceeds_blocks, {"interleaving_exceeds_blocks", "more chunks than layers of a stage"}},
    {Rejection::interleaving_not_factor_of_blocks,
     {"interleaving_not_factor_of_blocks", "chunks of a stage would be unequal"}},
    {Rejection::offload_needs_three_blocks,
     {"offload_needs_3_blocks", "offload with fewer than three layers in a stage"}},
    {Rejection::tokens_not_multiple_of_tensor_parallel,
     {"batch_seq_not_multiple_of_tp", "tensor_parallel does not divide the tokens of a micro-batch"}},
    {Rejection::hidden_not_multiple_of_tensor_parallel,
     {"hidden_not_multiple_of_tp", "tensor_parallel does not divide the width"}},
    {Rejection::feedforward_not_multiple_of_tensor_parallel,
     {"feedforward_not_multiple_of_tp", "tensor_parallel does not divide the width of the feed-forward network"}},
    {Rejection::heads_not_multiple_of_tensor_parallel,
     {"heads_not_multiple_of_tp", "tensor_parallel does not divide the attention heads"}},
    {Rejection::overlapped_size_not_multiple_of_tensor_parallel,
     {"overlap_not_multiple_of_tp", "tensor_parallel does not divide the size that is cut into tiles"}},
    {Rejection::datatype_not_in_system, {"datatype_not_in_system", "the system has no rates for the precision"}},
    {Rejection::memory_tier_1, {"mem_tier1", "the memory of a processor is too small"}},
    {Rejection::memory_tier_2, {"mem_tier2", "the offload memory of a processor is too small"}},
});
static_assert(published::is_in_order(rejection_rows));
[[nodiscard]] constexpr const RejectionInfo& info_of(Rejection rejection) {
  return rejection_rows[index_of(rejection)].info;
}

/// The earlier of two broken rules; `none` is later than all.
[[nodiscard]] constexpr Rejection earlier(Rejection a, Rejection b) {
  const auto place = [](Rejection rule) { return static_cast<std::uint8_t>(static_cast<std::uint8_t>(rule) - 1U); };
  return place(b) < place(a) ? b : a;
}

// Rules in groups that read few inputs each. Each returns the first rule of its group that is broken; the first rule of
// all is the earlier one of these. All but degree_rules need degrees that are positive and make up the processors.

/// Numbers of processors and their product.
[[nodiscard]] Rejection degree_rules(const Execution& execution);
/// Batch and micro-batch of a replica.
[[nodiscard]] Rejection batch_rules(const Execution& execution);
/// Choices that exclude each other, or need more than one processor, stage or replica.
[[nodiscard]] Rejection option_rules(const Execution& execution);
[[nodiscard]] Rejection interleaving_rules(const ModelShape& model, const Execution& execution);
[[nodiscard]] Rejection network_rules(const System& system, const Execution& execution);
[[nodiscard]] Rejection datatype_rules(const System& system, Datatype datatype);
[[nodiscard]] Rejection offload_rules(const ModelShape& model, const Execution& execution);
/// Tokens that the tensor-parallel group cannot split.
[[nodiscard]] Rejection token_rules(const ModelShape& model, const Execution& execution);
/// Sizes of the model that the tensor-parallel group cannot split.
[[nodiscard]] Rejection tensor_rules(const ModelShape& model, const Execution& execution);

/// The first broken rule of all but those on memory.
[[nodiscard]] Rejection rejection_of(const ModelShape& model, const System& system, const Execution& execution);

}  // namespace dfsweep::calculon
