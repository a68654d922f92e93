/// The tables that the hyperparameters estimator publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/estimator.hpp"

namespace dfsweep::hyperparameters::points {

inline constexpr std::string_view estimator_name = "hyperparameters";

/// Index of each parameter in parameters().
enum Parameter : ParameterIndex {
  size_parameters,
  activated_parameters,
  train_tokens,
  learning_rate,
  batch_tokens,
  sequence_length,
  law,
  flops_per_token,
  final_loss,
  plateau_excess,
  parameter_count
};

/// Index of each metric in metrics().
enum Metric : MetricIndex {
  optimal_learning_rate,
  optimal_batch_tokens,
  optimal_batch_sequences,
  loss_excess,
  plateau_low,
  plateau_high,
  learning_rate_at_batch,
  metric_count
};

/// Codes in statuses().
enum Status : std::uint8_t { ok = status_ok, failed = status_failed, invalid, no_law };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::hyperparameters::points
