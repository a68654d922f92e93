/// The tables that the hyperparameters estimator publishes: parameters, metrics, statuses.
#pragma once

#include <span>

#include "models/estimator.hpp"

namespace dfsweep::hyperparameters {

inline constexpr std::string_view estimator_name = "hyperparameters";

/// Index of each parameter in parameters().
enum class Parameter : ParameterIndex {
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
  count
};

/// Index of each metric in metrics().
enum class Metric : MetricIndex {
  optimal_learning_rate,
  optimal_batch_tokens,
  optimal_batch_sequences,
  loss_excess,
  plateau_low,
  plateau_high,
  learning_rate_at_batch,
  extrapolation,
  loss,
  loss_low,
  loss_high,
  compute_optimal_parameters,
  compute_optimal_tokens,
  compute_optimal_loss,
  count
};

/// Codes in statuses().
enum class Status : std::uint8_t { ok = status_ok, failed = status_failed, invalid, no_law, count };

[[nodiscard]] std::span<const ParameterInfo> parameters();
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] ResultViews views();
[[nodiscard]] std::span<const StatusInfo> statuses();

}  // namespace dfsweep::hyperparameters
