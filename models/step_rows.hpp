/// Rows of parameters and metrics that estimators of training steps publish alike: degrees, batches, and the times and
/// amounts of a step.
#pragma once

#include <array>
#include <stdexcept>

#include "models/published_rows.hpp"

namespace dfsweep::published::step_rows {

inline constexpr double most_count = 1e9;
/// Degrees below 1 are legal, because each broken rule is a status with a name of its own.
inline constexpr double least_count = -1e6;

inline constexpr std::string_view phases[] = {"train", "forward"};
inline constexpr std::string_view recomputes[] = {"full",        "attention", "none", "selective",
                                                  "elementwise", "latent",    "other"};
inline constexpr std::string_view tensor_overlaps[] = {"none", "ring", "pipe", "other"};

/// 0 or 1.
[[nodiscard]] constexpr ParameterInfo flag(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return or_else(whole(name, 0.0, 1.0, meaning), fallback);
}

[[nodiscard]] constexpr auto parameter_rows() {
  return std::to_array<ParameterInfo>({
      entry_of("model", "models", "the transformer"),
      whole("device_count", least_count, most_count, "devices"),
      or_else(whole("tensor_parallel", least_count, most_count, "devices that share a layer"), "1"),
      or_else(whole("pipeline_parallel", least_count, most_count, "stages of layers"), "1"),
      open(whole("data_parallel", least_count, most_count, "replicas"),
           "device_count over the product of the other degrees, rounded down"),
      open(whole("global_batch", least_count, most_count, "sequences of a step"),
           "the largest multiple of data_parallel up to max_batch"),
      open(whole("max_batch", 1, most_count, "largest global batch, where global_batch is not given"),
           "the model's global_batch"),
      or_else(whole("micro_batch", least_count, most_count, "sequences of a replica that are worked on at once"), "1"),
      open(whole("sequence_length", 1, 1e7, "tokens of a sequence"), "the model's sequence_length"),
      or_else(choice_of("phase", phases, "training step, or its forward pass alone: nothing is kept for backward"),
              "train"),
      or_else(choice_of("recompute", recomputes,
                        "what backward computes again, from all to nothing; see the page of the model"),
              "none"),
      or_else(whole("interleaving", least_count, most_count, "chunks of layers that a stage has"), "1"),
      or_else(choice_of("tensor_overlap", tensor_overlaps,
                        "how collectives of tensor parallelism overlap with products: in tiles of a ring or pipe"),
              "none"),
      flag("activation_offload", "0", "1: kept activations live in memory tier 2"),
      flag("optimizer_offload", "0", "1: optimizer state and gradients live in memory tier 2"),
  });
}

[[nodiscard]] constexpr auto metric_rows() {
  const auto time_of = [](std::string_view name, std::string_view meaning) {
    return metric_of(name, "s", Better::lower, meaning);
  };
  return std::to_array<MetricInfo>({
      time_of("step_time", "time of a step"),
      time_of("forward_time", "forward processing of all micro-batches"),
      time_of("backward_time", "backward processing of all micro-batches, without recomputation"),
      time_of("optimizer_time", "update of the weights"),
      time_of("recompute_time", "forward processing that backward repeats"),
      time_of("bubble_time", "idle time of the pipeline"),
      time_of("tensor_comm_time", "exposed collectives of tensor parallelism, without those that backward repeats"),
      time_of("pipeline_comm_time", "exposed transfers between stages"),
      time_of("data_comm_time", "exposed reduction of gradients"),
      time_of("offload_time", "waiting for memory tier 2"),
      metric_of("memory_used", "byte", Better::lower, "of memory tier 1, on the device that needs most"),
      metric_of("offload_used", "byte", Better::lower, "of memory tier 2"),
      metric_of("sample_rate", "s-1", Better::higher, "sequences per second, of all devices"),
      metric_of("token_rate", "s-1", Better::higher, "tokens per second, of all devices"),
      metric_of("token_rate_per_device", "s-1", Better::higher, "tokens per second and device"),
      metric_of("utilization", "1", Better::higher,
                "useful FLOP over peak FLOP of the step; recomputation is not useful"),
      if_known(
          metric_of("system_cost", "USD", Better::lower, "price of all devices: stated, or derived from their parts")),
      if_known(metric_of("system_power", "W", Better::lower,
                         "nameplate power of all devices: stated, or derived from their parts")),
      if_known(metric_of(
          "shortfall", "1", Better::lower,
          "bytes needed over bytes available of the memory that is too small; not applicable where nothing is")),
  });
}

/// The row of this name; no constant expression without one.
template <class Rows>
[[nodiscard]] constexpr auto row_named(const Rows& rows, std::string_view name) {
  for (const auto& row : rows)
    if (row.name == name) return row;
  throw std::logic_error("no such row");
}

[[nodiscard]] consteval ParameterInfo parameter(std::string_view name) {
  return row_named(parameter_rows(), name);
}

/// The metric, with values at the statuses of `valid_statuses`, a MetricInfo::valid_statuses.
[[nodiscard]] consteval MetricInfo metric(std::string_view name, std::uint32_t valid_statuses) {
  MetricInfo info = row_named(metric_rows(), name);
  info.valid_statuses = valid_statuses;
  return info;
}

}  // namespace dfsweep::published::step_rows
