/// Rules that an execution must obey before its memory is checked, in the order of the checks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/enum_array.hpp"
#include "models/training/points/published.hpp"

namespace dfsweep::training {

/// The first broken rule gives the status of a point.
enum class Rule : std::uint8_t {
  devices,
  tensor,
  pipeline,
  data,
  product,
  batch,
  micro_batch,
  interleaving,
  one_stage,
  sequence,
  vocabulary,
  attention,
  format,
  recompute,
  overlap,
  stages,
  batch_size,
  divisors,
  host_memory,
  not_interleaved,
  few_micro_batches,
  odd_number,
  stack,
  shape,
  power,
  none,  ///< no rule is broken
  count
};

[[nodiscard]] constexpr Rule earlier(Rule a, Rule b) {
  return std::min(a, b);
}

inline constexpr EnumArray<Rule, Status> rule_statuses{{
    Status::devices_not_positive,
    Status::tensor_parallel_not_positive,
    Status::pipeline_parallel_not_positive,
    Status::data_parallel_not_positive,
    Status::degrees_product,
    Status::no_batch,
    Status::micro_batch_not_positive,
    Status::interleaving_not_positive,
    Status::interleaving_with_one_stage,
    Status::no_sequence_length,
    Status::no_vocabulary,
    Status::unknown_attention,
    Status::no_number_format,
    Status::unknown_recompute,
    Status::unknown_tensor_overlap,
    Status::too_many_stages,
    Status::batch_too_small,
    Status::degrees_do_not_divide,
    Status::no_host_memory,
    Status::schedule_not_interleaved,
    Status::too_few_micro_batches,
    Status::odd_dual_pipe,
    Status::stack_cannot_run,
    Status::shape_does_not_fit,
    Status::power_limit_too_low,
    Status::ok,
}};

[[nodiscard]] constexpr std::uint8_t status_of(Rule rule) {
  return code_of(rule_statuses[rule]);
}

}  // namespace dfsweep::training
