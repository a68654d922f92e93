/// Everything about one point, under either convention.
#pragma once

#include "models/explanation.hpp"
#include "models/serving/points/physical_points.hpp"
#include "models/serving_study/points.hpp"

namespace dfsweep::serving {

/// Of the first point of the codes.
[[nodiscard]] Explanation explain_study(const DecodedValues& values, const PointCodes& codes);
/// `figures`: of the point.
[[nodiscard]] Explanation explain_physical(const Deployment& deployment, const Demand& demand, const Figures& figures);

}  // namespace dfsweep::serving
