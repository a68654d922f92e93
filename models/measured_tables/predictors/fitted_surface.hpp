/// Fitted surfaces: exact where measured, estimated from neighbours at the other nodes of the grid of measured keys.
#pragma once

#include <span>

#include "models/measured_tables/predictors/attention_surface.hpp"

namespace dfsweep::inference {

/// Nodes outside the measured range have the level of the last measured key with the same v, or of the nearest one.
/// Expected errors: measured, the spread of repeats (interpolated where no key was repeated); interpolated,
/// leave-one-out over some hundreds of keys; extrapolated, that of keys with u or v above half of the last one,
/// predicted from the others.
/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
AttentionSurface fitted_surface(std::span<const SurfacePoint> points, const SurfaceForm& form);

/// The same times at a fraction of the cost, with expected errors of 0.
AttentionSurface fitted_surface_without_errors(std::span<const SurfacePoint> points, const SurfaceForm& form);

}  // namespace dfsweep::inference
