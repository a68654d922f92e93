/// The tables that the estimator `training` publishes: parameters, metrics, statuses.
#pragma once

#include <array>
#include <span>

#include "models/calculon/formulas/outputs.hpp"
#include "models/estimator.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::training {

inline constexpr std::string_view estimator_name = "training";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
  model,
  system,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  data_parallel,
  tensor_network,
  pipeline_network,
  data_network,
  global_batch,
  max_batch,
  micro_batch,
  sequence_length,
  precision,
  phase,
  fused_activation,
  attention,
  recompute,
  interleaving,
  optimizer_sharding,
  tensor_comm,
  tensor_overlap,
  sequence_parallel_redo,
  data_overlap,
  weight_offload,
  activation_offload,
  optimizer_offload,
  train_tokens,
  convention,
  // read by the physical convention only
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
  node_devices,
  node_links,
  link_bandwidth,
  outer_link_bandwidth,
  device_hour_price,
  learning_rate,
  law,
  device,
  memory,
  interconnect,
  outer_interconnect,
  dram_bandwidth,
  dram_capacity,
  peak_flops,
  topology,
  shape,
  count
};

inline constexpr double seconds_per_day = 86400.0;

/// Metrics before the figures of the Calculon tool that have no name of ours.
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
  time_to_train,
  train_days,
  train_energy,
  energy_per_token,
  shortfall,
  // of the physical convention only
  model_flops_utilization,
  model_flops_utilization_full,
  hardware_flops_utilization,
  expert_comm_time,
  context_comm_time,
  host_time,
  imbalance_time,
  straggler_time,
  train_cost,
  cost_per_million_tokens,
  optimal_learning_rate,
  optimal_batch_tokens,
  loss_excess,
  // of calibrated software only
  expected_error,
  step_time_low,
  step_time_high,
  expected_memory_error,
  memory_used_low,
  memory_used_high,
  count
};

/// Metric of every figure of the Calculon tool, in its order.
[[nodiscard]] std::span<const MetricIndex, calculon::output_count> metrics_of_outputs();

/// Status of a rejection; those of memory have codes below 32, because metrics are valid there.
[[nodiscard]] constexpr std::uint8_t status_of(calculon::Rejection rejection) {
  using enum calculon::Rejection;
  if (rejection == none) return status_ok;
  if (rejection == memory_tier_1) return 2;
  if (rejection == memory_tier_2) return 3;
  return static_cast<std::uint8_t>(3 + static_cast<std::uint8_t>(rejection));
}

/// Statuses of the physical convention beyond those that it shares.
enum class PhysicalStatus : std::uint8_t {
  degrees_do_not_divide,
  batch_too_small,
  too_many_stages,
  no_host_memory,
  no_sequence_length,
  shape_does_not_fit,
  no_vocabulary,
  count
};
inline constexpr auto physical_statuses = std::to_array<published::Row<PhysicalStatus, StatusInfo>>({
    {PhysicalStatus::degrees_do_not_divide,
     {"degrees_do_not_divide", "a degree does not divide what it splits: heads, replicas or the vocabulary's rows"}},
    {PhysicalStatus::batch_too_small,
     {"batch_too_small", "fewer sequences than replicas, or a micro batch larger than a replica's share"}},
    {PhysicalStatus::too_many_stages, {"too_many_stages", "more stages, or chunks of stages, than layers"}},
    {PhysicalStatus::no_host_memory,
     {"no_host_memory", "something is offloaded, and the system has no memory of a host"}},
    {PhysicalStatus::no_sequence_length,
     {"no_sequence_length", "neither the sweep nor the model gives the tokens of a sequence"}},
    {PhysicalStatus::shape_does_not_fit,
     {"shape_does_not_fit",
      "a shape without topology, of other dimensions, of other devices, or that cuts a node or a pod"}},
    {PhysicalStatus::no_vocabulary,
     {"no_vocabulary", "the model has no field 'vocabulary', the size of its output layer"}},
});
static_assert(published::is_in_order(physical_statuses));
[[nodiscard]] constexpr std::uint8_t status_of(PhysicalStatus status) {
  return static_cast<std::uint8_t>(count_of<calculon::Rejection> + 1 + index_of(status));
}

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::training
