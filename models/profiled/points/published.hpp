/// The tables that the estimator `profiled` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

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
  requests,
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
  count
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
  count
};

/// Metric of the time of layer_operators[i].
[[nodiscard]] constexpr Metric operator_time(std::size_t i) {
  return static_cast<Metric>(index_of(Metric::attn_pre_proj_time) + i);
}
static_assert(operator_time(layer_operator_count) == Metric::all_reduce_time);

/// Codes in statuses().
enum class Status : std::uint8_t { ok = status_ok, failed = status_failed, invalid, no_profile, out_of_memory, count };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();
[[nodiscard]] std::span<const DataInfo> data();

}  // namespace dfsweep::profiled
