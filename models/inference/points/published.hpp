/// The tables that the estimator `profiled` publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/estimator.hpp"
#include "models/inference/times/layer_predictors.hpp"

namespace dfsweep::inference::profiled {

inline constexpr std::string_view estimator_name = "profiled";

/// Index of each parameter in parameters().
enum Parameter : ParameterIndex {
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
  launch_overhead,
  skew_overhead,
  token_granularity,
  context_granularity,
  decode_batching_overhead,
  prefill_batching_overhead,
  dram_capacity,
  dram_bandwidth,
  peak_flops,
  parameter_count
};

/// Index of each metric in metrics(). From `operator_times` on: layer_operators, in their order.
enum Metric : MetricIndex {
  step_time,
  attention_time,
  mlp_time,
  tensor_comm_time,
  pipeline_comm_time,
  processor_time,
  token_rate,
  memory_used,
  max_batch,
  coverage,
  expected_error,
  operator_times,
  all_reduce_time = operator_times + layer_operator_count,
  send_recv_time,
  metric_count
};

/// Codes in statuses().
enum Status : std::uint8_t { ok = status_ok, failed = status_failed, invalid, no_profile, out_of_memory };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] std::span<const StatusInfo> statuses();
[[nodiscard]] std::span<const DataInfo> data();

}  // namespace dfsweep::inference::profiled
