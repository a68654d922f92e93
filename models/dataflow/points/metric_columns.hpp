/// Metric columns: status and metrics of one point, written from its step.
#pragma once

#include <vector>

#include "models/dataflow/cost/step.hpp"
#include "models/dataflow/points/combinations.hpp"
#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

/// Average watts of all chips, and the nameplate power of their links and switches.
[[nodiscard]] Watts system_average_power(const Layout& layout, const StepInputs& inputs, const Step& step);

/// All metrics of point `i` are absent.
void write_without_estimate(EstimateColumns& out, std::size_t i, Status status);

/// Status and metrics of point `i`, but those of choices and of the whole run. `tokens`: of a step; NaN where the
/// workload has none. `scratch` grows as needed.
void write_point(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& inputs, double tokens,
                 std::vector<NetworkTime>& scratch);

}  // namespace dfsweep::dataflow
