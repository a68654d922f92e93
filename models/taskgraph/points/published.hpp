/// The tables that the estimator `taskgraph` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"

namespace dfsweep::taskgraph {

inline constexpr std::string_view estimator_name = "taskgraph";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
  strategy,
  model,
  layers,
  hidden,
  heads,
  key_value_heads,
  head_dim,
  ffn_hidden,
  device,
  memory,
  interconnect,
  outer_interconnect,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  pool_devices,
  most_pool_devices,
  pool_objective,
  batch,
  sequence_length,
  micro_batches,
  phase,
  precision,
  attention_kernel,
  compute_utilization,
  cache_capacity,
  cache_bandwidth,
  token_tile,
  spill,
  placement,
  nodes,
  fallback,
  convention,
  peak_flops,
  dram_bandwidth,
  link_bandwidth,
  outer_link_bandwidth,
  link_latency,
  prices,                                               ///< first of cost::PriceParameter
  ownership = prices + count_of<cost::PriceParameter>,  ///< first of cost::OwnershipParameter
  count = ownership + count_of<cost::OwnershipParameter>
};

/// Index of each metric in metrics().
enum class Metric : MetricIndex {
  step_time,
  critical_path,
  attention_time,
  ffn_time,
  communication_time,
  other_time,
  token_rate,
  token_rate_per_device,
  time_per_token,
  time_per_output_token,
  devices_used,
  busy_fraction,
  least_busy_fraction,
  most_busy_fraction,
  link_busy_fraction,
  baseline_time,
  speedup,
  speedup_per_device,
  sequential_time,
  overlapped_time,
  crossover_length,
  crossover_end,
  best_pool_devices,
  cache_fit,
  token_tile_used,
  layer_groups,
  layer_weights,
  layer_activations,
  coverage,
  shortfall,
  system_cost,
  system_power,
  energy_per_token,
  prices,                                            ///< first of cost::PriceMetric
  ownership = prices + count_of<cost::PriceMetric>,  ///< first of cost::OwnershipMetric
  count = ownership + count_of<cost::OwnershipMetric>
};

/// Codes in statuses().
enum class Status : std::uint8_t {
  ok = status_ok,
  failed = status_failed,
  invalid,
  out_of_cache,
  no_profile,
  not_modelled,
  no_work,
  count
};

/// Indices into the choices of parameter `strategy`; `given` where it names an entry.
enum class Strategy : std::uint8_t { tensor_pipeline, attention_pool, layerwise, given };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();
[[nodiscard]] std::span<const DataInfo> data();

}  // namespace dfsweep::taskgraph
