/// Construction of curves from measurements by either method.
#pragma once

#include <span>

#include "models/measured_tables/predictors/curve.hpp"

namespace dfsweep {

/// Pre: at least one point; tokens >= 0; seconds >= 0 and finite.
Curve make_curve(std::span<const CurvePoint> points, PredictionMethod method);

}  // namespace dfsweep
