/// Which metrics of a sweep are absent because an entry lacks a field, as a cost without a price.
#pragma once

#include <string>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Metrics that are absent wherever a parameter has one of its values.
struct AbsentMetrics {
  std::vector<MetricIndex> metrics;  ///< those that need the field
  ParameterIndex parameter = 0;      ///< that names the entry
  std::size_t value = 0;             ///< index into SweepValues::parameters[parameter].values
  std::string_view field;            ///< that the entry lacks: "price"
};

/// Every entry that lacks a field which a metric needs (MetricInfo::needs), unless a parameter replaces the field at
/// every point. In the order of parameters, values and fields.
[[nodiscard]] std::vector<AbsentMetrics> absent_metrics(std::span<const ParameterInfo> parameters,
                                                        std::span<const MetricInfo> metrics, const SweepValues& values);

/// "system_cost, cost_efficiency: device 'h100-80g' has no 'price'".
[[nodiscard]] std::string text_of(const AbsentMetrics& lack, std::span<const ParameterInfo> parameters,
                                  std::span<const MetricInfo> metrics, const SweepValues& values);

}  // namespace dfsweep
