/// The tables that the estimator `calculon` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/calculon/formulas/output_infos.hpp"
#include "models/calculon/formulas/rejection.hpp"
#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"
#include "models/whole_run/run_sweep.hpp"

namespace dfsweep::calculon {

inline constexpr std::string_view estimator_name = "calculon";

/// Index of each parameter in parameters(); those of the whole run follow.
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
  prices,  ///< first of cost::PriceParameter
  count = prices + count_of<cost::PriceParameter>
};

/// Metrics with names of dfsweep; the figures that keep the names of Calculon follow them.
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
  prices,                                        ///< first of cost::PriceMetric
  watts = prices + count_of<cost::PriceMetric>,  ///< first of cost::WattsMetric
  count = watts + count_of<cost::WattsMetric>
};

/// Metric of every figure of the Calculon tool, in its order.
[[nodiscard]] std::span<const MetricIndex, output_count> metrics_of_outputs();

/// Status of a rejection; those of memory have codes below 32, because metrics are valid there.
[[nodiscard]] constexpr std::uint8_t status_of(Rejection rejection) {
  using enum Rejection;
  if (rejection == none) return status_ok;
  if (rejection == memory_tier_1) return 2;
  if (rejection == memory_tier_2) return 3;
  return static_cast<std::uint8_t>(3 + static_cast<std::uint8_t>(rejection));
}

/// Where the rows of the whole run are: behind the other parameters, figures and rejections.
[[nodiscard]] const whole_run::RunPlaces& run_places();

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::calculon
