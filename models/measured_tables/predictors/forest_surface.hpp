/// Forest surfaces: the steps of a forest over two features, tabulated exactly.
#pragma once

#include <span>

#include "models/measured_tables/predictors/attention_surface.hpp"
#include "models/measured_tables/predictors/forest.hpp"

namespace dfsweep::inference {

/// Flat beyond the first and last keys. Expected errors: measured, that on the rows it was grown on; interpolated and
/// extrapolated, that of the trees that did not see the key.
/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
AttentionSurface forest_surface(std::span<const SurfacePoint> points, const SurfaceForm& form,
                                const ForestSettings& settings);

}  // namespace dfsweep::inference
