/// Fitted surfaces: exact at measured keys, estimated from neighbours at other nodes of the grid of measured keys.
#pragma once

#include <span>

#include "models/measured_tables/predictors/attention_surface.hpp"

namespace dfsweep {

/// Nodes outside the measured range have the level of the last measured key with the same v, or of the nearest one.
/// Expected errors: for measured keys the spread of repetitions (or the error of interpolated keys without
/// repetitions), for interpolated keys the leave-one-out error over some hundreds of keys, for extrapolated keys the
/// error of keys with u or v above half of the last one, predicted from the others.
/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
AttentionSurface fitted_surface(std::span<const SurfacePoint> points, const SurfaceForm& form);

/// The same surface without error estimates (all 0), at a fraction of the cost.
AttentionSurface fitted_surface_without_errors(std::span<const SurfacePoint> points, const SurfaceForm& form);

}  // namespace dfsweep
