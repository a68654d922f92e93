/// Forest curves: the steps of a forest over tokens, tabulated exactly.
#pragma once

#include <span>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/forest.hpp"

namespace dfsweep {

/// Constant before the first and beyond the last key. Expected errors: for measured keys the training error, for
/// interpolated keys the out-of-bag error.
Curve forest_curve(std::span<const CurvePoint> points, const ForestSettings& settings);

}  // namespace dfsweep
