/// Forest curves: the steps of a forest over tokens, tabulated exactly.
#pragma once

#include <span>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/forest.hpp"

namespace dfsweep::inference {

/// Flat before the first and beyond the last key. Expected errors: measured, that on the rows it was grown on;
/// interpolated, that of the trees that did not see the key.
Curve forest_curve(std::span<const CurvePoint> points, const ForestSettings& settings);

}  // namespace dfsweep::inference
