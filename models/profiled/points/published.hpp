/// The tables that the estimator `profiled` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/cost/published_rows.hpp"
#include "models/estimator.hpp"
#include "models/measured_tables/layer_predictors.hpp"

namespace dfsweep::profiled {

inline constexpr std::string_view estimator_name = "profiled";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
  model,
  device,
  network,
  tensor_parallel,
  pipeline_parallel,
  stage,
  batch_requests,
  decode_batch,
  decode_context,
  prefill_batch,
  prefill_chunk,
  prefill_context,
  statistic,
  fallback,
  convention,
  block_size,
  max_request_tokens,
  memory_margin,
  processor_overhead,
  head,
  launch_overhead,
  skew_overhead,
  token_granularity,
  context_granularity,
  decode_batching_overhead,
  prefill_batching_overhead,
  dram_capacity,
  dram_bandwidth,
  peak_flops,
  queueing,
  scheduler,
  routing,
  replicas,
  requests,
  arrival_rate,
  arrivals,
  arrival_variation,
  seed,
  prompt_tokens,
  output_tokens,
  prompt_spread,
  output_spread,
  batch_limit,
  chunk_tokens,
  prompt_batch_tokens,
  waiting_steps,
  cache_blocks,
  watermark,
  time_limit,
  waiting_time_limit,
  limit_quantile,
  prices,                                               ///< first of cost::PriceParameter
  ownership = prices + count_of<cost::PriceParameter>,  ///< first of cost::OwnershipParameter
  count = ownership + count_of<cost::OwnershipParameter>
};

/// Index of each metric in metrics(). From `attn_pre_proj_time` on, in the order of layer_operators.
enum class Metric : MetricIndex {
  step_time,
  attention_time,
  mlp_time,
  tensor_comm_time,
  pipeline_comm_time,
  processor_time,
  embedding_time,
  output_time,
  sampling_time,
  token_rate,
  memory_used,
  max_batch,
  coverage,
  head_coverage,
  expected_error,
  attn_pre_proj_time,
  attn_post_proj_time,
  mlp_up_proj_time,
  mlp_down_proj_time,
  mlp_act_time,
  input_layernorm_time,
  attn_rope_time,
  add_time,
  post_attention_layernorm_time,
  attn_kv_cache_save_time,
  attn_prefill_time,
  attn_decode_time,
  all_reduce_time,
  send_recv_time,
  time_to_first_token,
  time_to_first_token_p50,
  time_to_first_token_p90,
  time_to_first_token_p99,
  time_per_output_token,
  time_per_output_token_p50,
  time_per_output_token_p90,
  time_per_output_token_p99,
  token_interval,
  token_interval_p50,
  token_interval_p90,
  token_interval_p99,
  request_latency,
  request_latency_p50,
  request_latency_p90,
  request_latency_p99,
  waiting_time,
  waiting_time_p50,
  waiting_time_p90,
  waiting_time_p99,
  batch_time,
  batch_time_p50,
  batch_time_p90,
  batch_time_p99,
  request_rate,
  completed_requests,
  makespan,
  batches,
  running_batch,
  tokens_per_batch,
  preemptions,
  preempted_requests,
  cache_use,
  sampled_cache_use,
  utilization,
  model_flops_utilization,
  capacity,
  system_cost,  ///< from here on known wherever a token rate is
  system_power,
  energy_per_token,
  prices,                                           ///< first of cost::PriceMetric
  watts = prices + count_of<cost::PriceMetric>,     ///< first of cost::WattsMetric
  ownership = watts + count_of<cost::WattsMetric>,  ///< first of cost::OwnershipMetric
  count = ownership + count_of<cost::OwnershipMetric>
};

/// Metric of the time of layer_operators[i].
[[nodiscard]] constexpr Metric operator_time(std::size_t i) {
  return static_cast<Metric>(index_of(Metric::attn_pre_proj_time) + i);
}
static_assert(operator_time(layer_operator_count) == Metric::all_reduce_time);
/// Whether only simulated runs have the metric.
[[nodiscard]] constexpr bool is_of_simulation(Metric m) {
  return Metric::time_to_first_token <= m && m <= Metric::capacity;
}

/// Codes in statuses().
enum class Status : std::uint8_t {
  ok = status_ok,
  failed = status_failed,
  invalid,
  no_profile,
  out_of_memory,
  unfinished,
  out_of_blocks,
  count
};

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();
[[nodiscard]] std::span<const DataInfo> data();

}  // namespace dfsweep::profiled
