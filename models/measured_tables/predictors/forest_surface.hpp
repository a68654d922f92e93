/// Forest surfaces: the steps of a forest over two features, tabulated exactly.
#pragma once

#include <span>

#include "models/measured_tables/predictors/attention_surface.hpp"
#include "models/measured_tables/predictors/forest.hpp"

namespace dfsweep {

/// Constant beyond the first and last keys. Expected errors: for measured keys the training error, for others the
/// out-of-bag error.
/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
AttentionSurface forest_surface(std::span<const SurfacePoint> points, const SurfaceForm& form,
                                const ForestSettings& settings);

}  // namespace dfsweep
