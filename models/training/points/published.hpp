/// The tables that the estimator `training` publishes: parameters, metrics, statuses.
#pragma once

#include <array>
#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"
#include "models/published_rows.hpp"
#include "models/whole_run/run_sweep.hpp"

namespace dfsweep::training {

inline constexpr std::string_view estimator_name = "training";

/// Index of each parameter in parameters(); those of the whole run follow.
enum class Parameter : ParameterIndex {
  model,
  system,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  data_parallel,
  global_batch,
  max_batch,
  micro_batch,
  sequence_length,
  precision,
  phase,
  recompute,
  interleaving,
  optimizer_sharding,
  tensor_overlap,
  activation_offload,
  optimizer_offload,
  software,
  context_parallel,
  expert_parallel,
  expert_tensor_parallel,
  capacity_factor,
  sequence_parallel,
  context_exchange,
  attention_kernel,
  recomputed_layers,
  schedule,
  stage_split,
  sharding_group,
  task,
  state_bytes,
  activations_8bit,
  attention_8bit,
  step_graph,
  node_devices,
  node_links,
  link_bandwidth,
  outer_link_bandwidth,
  device,
  memory,
  interconnect,
  outer_interconnect,
  dram_bandwidth,
  dram_capacity,
  peak_flops,
  topology,
  shape,
  device_link_bandwidth,
  prices,  ///< first of cost::PriceParameter
  power_limit = prices + count_of<cost::PriceParameter>,
  count
};

/// Index of each metric in metrics(); those of the whole run follow.
enum class Metric : MetricIndex {
  step_time,
  forward_time,
  backward_time,
  optimizer_time,
  recompute_time,
  bubble_time,
  tensor_comm_time,
  pipeline_comm_time,
  data_comm_time,
  offload_time,
  memory_used,
  offload_used,
  sample_rate,
  token_rate,
  token_rate_per_device,
  utilization,
  system_cost,
  system_power,
  energy_per_token,
  shortfall,
  model_flops_utilization,
  model_flops_utilization_full,
  hardware_flops_utilization,
  expert_comm_time,
  context_comm_time,
  host_time,
  imbalance_time,
  straggler_time,
  cost_per_million_tokens,
  compute_precision,
  evidence,
  prices,                                                ///< first of cost::PriceMetric
  watts = prices + count_of<cost::PriceMetric>,          ///< first of cost::WattsMetric
  expected_error = watts + count_of<cost::WattsMetric>,  ///< from here on of calibrated software only
  step_time_low,
  step_time_high,
  expected_memory_error,
  memory_used_low,
  memory_used_high,
  count
};

/// Code of each status, those of the whole run follow; those of memory have codes below 32, because metrics are valid
/// there.
enum class Status : std::uint8_t {
  ok = status_ok,
  failed = status_failed,
  device_memory,
  host_memory,
  devices_not_positive,
  tensor_parallel_not_positive,
  pipeline_parallel_not_positive,
  data_parallel_not_positive,
  degrees_product,
  no_batch,
  micro_batch_not_positive,
  unknown_recompute,
  interleaving_not_positive,
  interleaving_with_one_stage,
  unknown_tensor_overlap,
  no_number_format,
  degrees_do_not_divide,
  batch_too_small,
  too_many_stages,
  no_host_memory,
  no_sequence_length,
  shape_does_not_fit,
  no_vocabulary,
  schedule_not_interleaved,
  too_few_micro_batches,
  odd_dual_pipe,
  stack_cannot_run,
  unknown_attention,
  power_limit_too_low,
  count
};
[[nodiscard]] constexpr std::uint8_t code_of(Status status) {
  return static_cast<std::uint8_t>(status);
}

inline constexpr whole_run::RunPlaces run_places{count_of<Parameter>, count_of<Metric>, count_of<Status>,
                                                 index_of(Parameter::model)};

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::training
