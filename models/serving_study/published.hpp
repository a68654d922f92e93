/// The tables that the estimator `serving_study` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"

namespace dfsweep::serving_study {

inline constexpr std::string_view estimator_name = "serving_study";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
  model,
  device,
  memory,
  interconnect,
  topology,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  phase,
  batch,
  prompt_tokens,
  output_tokens,
  precision,
  overlap,
  compute_utilization,
  dram_bandwidth,
  dram_capacity,
  peak_flops,
  link_bandwidth,
  link_latency,
  requests,
  speculation,
  draft_model,
  draft_window,
  acceptance,
  acceptance_rule,
  verified_tokens,
  device_hour_price,
  all_reduce_passes,
  num_tile,
  solver_gap,
  prices,                                               ///< first of cost::PriceParameter
  ownership = prices + count_of<cost::PriceParameter>,  ///< first of cost::OwnershipParameter
  count = ownership + count_of<cost::OwnershipParameter>
};

enum class Metric : MetricIndex {
  time_to_first_token,
  time_per_output_token,
  prefill_rate,
  decode_rate,
  request_rate,
  token_rate,
  token_rate_per_device,
  token_rate_per_user,
  request_latency,
  compute_time,
  memory_time,
  network_time,
  memory_used,
  weight_memory,
  cache_memory,
  running_batch,
  max_batch,
  shortfall,
  model_flops_utilization,
  acceptance_length,
  draft_time,
  verification_time,
  speculative_rate,
  speedup,
  system_cost,
  system_power,
  energy_per_token,
  cost_per_million_tokens,
  time_source,
  prices,                                            ///< first of cost::PriceMetric
  ownership = prices + count_of<cost::PriceMetric>,  ///< first of cost::OwnershipMetric
  count = ownership + count_of<cost::OwnershipMetric>
};

enum class Status : std::uint8_t {
  ok,
  failed,
  out_of_memory,
  degrees_do_not_divide,
  too_many_stages,
  no_cycle_model,
  count
};

/// Choices in the order of the published table.
enum class Phase : std::uint8_t { request, prefill, decode };
enum class Overlap : std::uint8_t { none, perfect };
enum class TimeSource : std::uint8_t { roofline };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::serving_study
