/// Metrics of a point as facts of its explanation.
#pragma once

#include <span>
#include <vector>

#include "models/estimator.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// One fact for each metric that is given: its meaning, its value or the name of its flag, its unit. `values`: as
/// `metrics`, NaN where absent; no longer than these.
[[nodiscard]] std::vector<Fact> metric_facts(std::span<const MetricInfo> metrics, std::span<const double> values);

}  // namespace dfsweep
