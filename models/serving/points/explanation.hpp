/// Everything about one point.
#pragma once

#include "models/explanation.hpp"
#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

/// `figures`: of the point.
[[nodiscard]] Explanation explain_point(const Deployment& deployment, const Demand& demand, const Figures& figures);

}  // namespace dfsweep::serving
