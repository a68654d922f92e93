/// Explanation of one point: its tasks, the critical chain, and how busy each group is.
#pragma once

#include "models/taskgraph/points/point.hpp"

namespace dfsweep::taskgraph {

[[nodiscard]] Explanation explain_point(const PointQuestion& question);

}  // namespace dfsweep::taskgraph
