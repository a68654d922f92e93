/// Explanation of one point.
#pragma once

#include "models/explanation.hpp"
#include "models/training/points/points.hpp"

namespace dfsweep::training {

/// Where the time of a step goes, what the memory holds, which ranks share a node, and the utilization by definition.
[[nodiscard]] Explanation explain_point(const Point& point, const StatusInfo& status);

}  // namespace dfsweep::training
