/// The tables that the dataflow estimator publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"
#include "models/whole_run/run_sweep.hpp"

namespace dfsweep::dataflow {

inline constexpr std::string_view estimator_name = "dataflow";

/// Index of each parameter in parameters(); those of the whole run follow.
enum class Parameter : ParameterIndex {
  model,
  phase,
  device,
  memory,
  topology,
  shape,
  interconnect,
  outer_interconnect,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  data_parallel,
  dimension_roles,
  high_bandwidth_domain,
  global_batch,
  micro_batch,
  interleaving,
  sequence_length,
  precision,
  mapping,
  partitions,
  max_partitions,
  phase_order,
  sram_accounting,
  weight_reload,
  num_tile,
  sharding,
  sink_sharding,
  overlap,
  compute_utilization,
  convention,
  all_reduce_passes,
  copies,
  dram_bandwidth,
  dram_capacity,
  sram_capacity,
  peak_flops,
  link_bandwidth,
  outer_link_bandwidth,
  link_latency,
  prices,  ///< first of cost::PriceParameter
  power_limit = prices + count_of<cost::PriceParameter>,
  count
};

/// Index of each metric in metrics(); those of the whole run follow.
enum class Metric : MetricIndex {
  step_time,
  utilization,
  achieved_flops,
  compute_time,
  memory_time,
  network_time,
  bubble_time,
  partitions_used,
  memory_used,
  system_cost,
  system_power,
  cost_efficiency,
  power_efficiency,
  optimality_gap,
  best_tensor_parallel,
  best_pipeline_parallel,
  best_data_parallel,
  best_dimension_roles,
  best_micro_batch,
  shortfall,
  network_serialization,
  network_latency,
  memory_intensity,
  network_intensity,
  energy_per_token,
  prices,                                        ///< first of cost::PriceMetric
  watts = prices + count_of<cost::PriceMetric>,  ///< first of cost::WattsMetric
  count = watts + count_of<cost::WattsMetric>
};

/// Codes in statuses(); those of the whole run follow.
enum class Status : std::uint8_t {
  ok = status_ok,
  failed = status_failed,
  invalid,
  no_mapping,
  out_of_memory,
  out_of_sram,
  unsupported_model,
  power_limit_too_low,
  count
};

inline constexpr whole_run::RunPlaces run_places{count_of<Parameter>, count_of<Metric>, count_of<Status>,
                                                 index_of(Parameter::model)};

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::dataflow
