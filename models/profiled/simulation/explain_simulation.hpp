/// Explanation of a simulated run: its facts, its distributions, its requests and batches, and a timeline.
#pragma once

#include "models/explanation.hpp"
#include "models/profiled/simulation/simulated_point.hpp"

namespace dfsweep::profiled {

/// Pre: `point` has been run with Recording::request_parts and Recording::batches, unless it has no run.
[[nodiscard]] Explanation explain_simulation(const SimulatedPoint& point);

}  // namespace dfsweep::profiled
