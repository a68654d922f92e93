/// Metrics of a sweep that are absent because an entry lacks a field (no cost without a price).
#pragma once

#include <string>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Metrics that are absent wherever a parameter has one of its values.
struct AbsentMetrics {
  std::vector<MetricIndex> metrics;  ///< metrics that need the field
  ParameterIndex parameter = 0;      ///< parameter that names the entry
  std::size_t value = 0;             ///< index into SweepValues::parameters[parameter].values
  std::string_view field;            ///< field that the entry lacks: "price"
};

/// Lists every entry that lacks a field which a metric needs (MetricInfo::needs), unless a parameter replaces the field
/// at every point. Sorted by parameter, value and field.
[[nodiscard]] std::vector<AbsentMetrics> absent_metrics(std::span<const ParameterInfo> parameters,
                                                        std::span<const MetricInfo> metrics, const SweepValues& values);

/// Message for the user: "system_cost, cost_efficiency: device 'h100-80g' has no 'price'".
[[nodiscard]] std::string text_of(const AbsentMetrics& lack, std::span<const ParameterInfo> parameters,
                                  std::span<const MetricInfo> metrics, const SweepValues& values);

}  // namespace dfsweep
