/// Surfaces: time of attention over two whole numbers, from measurements.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/measured_tables/predictors/attention_surface.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep {

/// One measurement of decode attention. Repetitions of a key are separate points.
struct DecodePoint {
  double batch = 0.0;    ///< requests
  double context = 0.0;  ///< tokens in the cache of each request
  double seconds = 0.0;
};

/// One measurement of prefill attention. Repetitions of a key are separate points.
struct PrefillPoint {
  double context = 0.0;  ///< tokens in the cache before the chunk
  double chunk = 0.0;    ///< new tokens
  double seconds = 0.0;
};

/// Time of one step of decode attention, as a function of (batch, context): requests, and cached tokens of each.
class DecodeSurface : public AttentionSurface {
 public:
  explicit DecodeSurface(AttentionSurface surface) : AttentionSurface(std::move(surface)) {}
};

/// Time of prefill attention, as a function of (context, chunk): cached tokens of one prompt, and its new tokens.
class PrefillSurface : public AttentionSurface {
 public:
  explicit PrefillSurface(AttentionSurface surface) : AttentionSurface(std::move(surface)) {}
};

/// Decode reads the cache once: trend terms 1, batch, batch * context and context.
/// Prefill processes chunk * (context + chunk / 2) pairs of tokens: trend terms are these pairs, 1, chunk and context;
/// forests use the square of the chunk. [vidur] Section 4
[[nodiscard]] SurfaceForm decode_form();
[[nodiscard]] SurfaceForm prefill_form();

/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
DecodeSurface make_decode_surface(std::span<const DecodePoint> points, PredictionMethod method);
PrefillSurface make_prefill_surface(std::span<const PrefillPoint> points, PredictionMethod method);

/// Converts measurements into surface points.
std::vector<SurfacePoint> surface_points(std::span<const DecodePoint> points);
std::vector<SurfacePoint> surface_points(std::span<const PrefillPoint> points);

}  // namespace dfsweep
