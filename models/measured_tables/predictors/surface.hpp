/// Surfaces: time of attention over two whole numbers, made from measurements.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/measured_tables/predictors/attention_surface.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::inference {

/// One measurement of decode attention. Repeats of a key are separate points.
struct DecodePoint {
  double batch = 0.0;    ///< requests
  double context = 0.0;  ///< tokens in the cache of each request
  double seconds = 0.0;
};

/// One measurement of prefill attention. Repeats of a key are separate points.
struct PrefillPoint {
  double context = 0.0;  ///< tokens in the cache before the chunk
  double chunk = 0.0;    ///< new tokens
  double seconds = 0.0;
};

/// Time of one step of decode attention; asked by (batch, context): requests, and tokens in the cache of each.
class DecodeSurface : public AttentionSurface {
 public:
  explicit DecodeSurface(AttentionSurface surface) : AttentionSurface(std::move(surface)) {}
};

/// Time of prefill attention; asked by (context, chunk): tokens in the cache of one prompt, and new tokens behind them.
class PrefillSurface : public AttentionSurface {
 public:
  explicit PrefillSurface(AttentionSurface surface) : AttentionSurface(std::move(surface)) {}
};

/// Decode reads the cache once: time grows with 1, batch, batch * context and context.
/// Prefill works on chunk * (context + chunk / 2) pairs of tokens: time grows with that, 1, chunk and context; a forest
/// sees the square of the chunk. [vidur] Section 4
[[nodiscard]] SurfaceForm decode_form();
[[nodiscard]] SurfaceForm prefill_form();

/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
DecodeSurface make_decode_surface(std::span<const DecodePoint> points, PredictionMethod method);
PrefillSurface make_prefill_surface(std::span<const PrefillPoint> points, PredictionMethod method);

/// The same measurements without the names of their keys.
std::vector<SurfacePoint> surface_points(std::span<const DecodePoint> points);
std::vector<SurfacePoint> surface_points(std::span<const PrefillPoint> points);

}  // namespace dfsweep::inference
