/// Everything about one point of the study.
#pragma once

#include "models/explanation.hpp"
#include "models/serving_study/values.hpp"

namespace dfsweep::serving_study {

[[nodiscard]] Explanation explain_point(const DecodedValues& values, const PointValues& v);

}  // namespace dfsweep::serving_study
