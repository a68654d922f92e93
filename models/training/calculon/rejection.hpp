/// Rejections: every reason why an execution cannot be, in the order in which they are tested.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/training/calculon/execution.hpp"

namespace dfsweep::training::calculon {

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
};
inline constexpr std::size_t rejection_count = 39;

/// The published name and one line; `none` is "ok".
struct RejectionInfo {
  std::string_view name;
  std::string_view meaning;
};
[[nodiscard]] const RejectionInfo& info_of(Rejection rejection);

/// Rules on the execution alone.
[[nodiscard]] Rejection contradiction_in(const Execution& execution);
/// Rules on tiers of the network. Pre: the degrees are positive.
[[nodiscard]] Rejection network_rejection(const System& system, const Execution& execution);
/// Rules on sizes of the model. Pre: no rule before is broken.
[[nodiscard]] Rejection size_rejection(const ModelShape& model, const Execution& execution);
/// All rules but those on memory.
[[nodiscard]] Rejection rejection_of(const ModelShape& model, const System& system, const Execution& execution);

}  // namespace dfsweep::training::calculon
