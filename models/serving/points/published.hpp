/// The tables that the estimator `serving` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"

namespace dfsweep::serving {

inline constexpr std::string_view estimator_name = "serving";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
  model,
  system,
  device,
  memory,
  interconnect,
  device_count,
  tensor_parallel,
  pipeline_parallel,
  phase,
  batch,
  prompt_tokens,
  output_tokens,
  precision,
  weight_precision,
  cache_precision,
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
  software,
  batching,
  concurrency,
  batch_limit,
  time_per_output_token_limit,
  load,
  chunk_tokens,
  shared_prompt_tokens,
  beams,
  attention_parallel,
  cache_share,
  node_devices,
  outer_link_bandwidth,
  network,
  queueing,
  arrival_rate,
  arrivals,
  arrival_variation,
  requests_per_user,
  think_time,
  length_distribution,
  prompt_spread,
  output_spread,
  turns,
  host_cache,
  seed,
  engine,
  receive_interval_steps,
  batch_wait_steps,
  replicas,
  expert_parallel,
  attention_data_parallel,
  attention_precision,
  time_to_first_token_limit,
  limit_quantile,
  pools,
  prefill_replicas,
  prefill_tensor_parallel,
  prefill_pipeline_parallel,
  prefill_expert_parallel,
  prefill_attention_data_parallel,
  prefill_precision,
  prefill_weight_precision,
  decode_replicas,
  decode_tensor_parallel,
  decode_pipeline_parallel,
  decode_expert_parallel,
  decode_attention_data_parallel,
  decode_precision,
  decode_weight_precision,
  handover_bandwidth,
  device_link_bandwidth,
  operator_tables,
  prices,  ///< first of cost::PriceParameter
  power_limit = prices + count_of<cost::PriceParameter>,
  ownership,  ///< first of cost::OwnershipParameter
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
  host_time,
  memory_used,
  weight_memory,
  cache_memory,
  waiting_time,
  time_to_first_token_p50,
  time_to_first_token_p90,
  time_to_first_token_p99,
  time_per_output_token_p50,
  time_per_output_token_p90,
  time_per_output_token_p99,
  request_latency_p50,
  request_latency_p90,
  request_latency_p99,
  waiting_time_p50,
  waiting_time_p90,
  waiting_time_p99,
  capacity,
  goodput,
  users,
  cache_use,
  preemptions,
  running_batch,
  best_batch,
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
  compute_precision,
  evidence,
  expected_error,
  expected_memory_error,
  coverage,
  first_token_queueing_error,
  token_time_queueing_error,
  prices,                                           ///< first of cost::PriceMetric
  watts = prices + count_of<cost::PriceMetric>,     ///< first of cost::WattsMetric
  ownership = watts + count_of<cost::WattsMetric>,  ///< first of cost::OwnershipMetric
  count = ownership + count_of<cost::OwnershipMetric>
};

enum class Status : std::uint8_t {
  ok,
  failed,
  out_of_memory,
  latency_limit,
  degrees_do_not_divide,
  too_many_stages,
  no_requests,
  no_profile,
  no_vocabulary,
  no_number_format,
  no_draft_model,
  first_token_limit,
  saturated,
  needs_simulation,
  not_modelled,
  stack_cannot_run,
  power_limit_too_low,
  count
};

/// Choices in the order of the published table.
enum class Phase : std::uint8_t { request, prefill, decode };
enum class TimeSource : std::uint8_t {
  roofline,
  profiled,
  operators,      ///< parts of steps from measured operators, the rest by rooflines
  far_operators,  ///< likewise; of some parts, no measured operator is near
};
enum class Batching : std::uint8_t { in_flight, static_batch };
enum class Queueing : std::uint8_t { steady, simulated };
enum class Pools : std::uint8_t { shared, separate };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();
[[nodiscard]] std::span<const DataInfo> data();

}  // namespace dfsweep::serving
