/// Surfaces: time of attention over two whole numbers, made from measurements.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/inference/attention_surface.hpp"
#include "models/inference/prediction.hpp"

namespace dfsweep {

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

/// Time of one step of decode attention for `batch` requests of `context` tokens each. Cheap to ask, dear to copy.
class DecodeSurface {
 public:
  explicit DecodeSurface(AttentionSurface surface) : surface_(std::move(surface)) {}
  [[nodiscard]] Prediction predict(std::uint32_t batch, std::uint32_t context) const {
    return surface_.predict(batch, context);
  }
  /// The time alone, and what it rests on alone.
  [[nodiscard]] double seconds(std::uint32_t batch, std::uint32_t context) const {
    return surface_.seconds(batch, context);
  }
  [[nodiscard]] Coverage coverage(std::uint32_t batch, std::uint32_t context) const {
    return surface_.coverage(batch, context);
  }
  /// All keys at once; the four spans have one length.
  void predict(std::span<const std::uint32_t> batch, std::span<const std::uint32_t> context, std::span<double> seconds,
               std::span<Coverage> coverage) const {
    surface_.predict(batch, context, seconds, coverage);
  }
  /// Expected relative error of predictions of that coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const { return surface_.relative_error(coverage); }

 private:
  AttentionSurface surface_;
};

/// Time of prefill attention for `chunk` new tokens behind `context` tokens of one prompt. Cheap to ask, dear to copy.
class PrefillSurface {
 public:
  explicit PrefillSurface(AttentionSurface surface) : surface_(std::move(surface)) {}
  [[nodiscard]] Prediction predict(std::uint32_t context, std::uint32_t chunk) const {
    return surface_.predict(context, chunk);
  }
  /// The time alone, and what it rests on alone.
  [[nodiscard]] double seconds(std::uint32_t context, std::uint32_t chunk) const {
    return surface_.seconds(context, chunk);
  }
  [[nodiscard]] Coverage coverage(std::uint32_t context, std::uint32_t chunk) const {
    return surface_.coverage(context, chunk);
  }
  /// All keys at once; the four spans have one length.
  void predict(std::span<const std::uint32_t> context, std::span<const std::uint32_t> chunk, std::span<double> seconds,
               std::span<Coverage> coverage) const {
    surface_.predict(context, chunk, seconds, coverage);
  }
  /// Expected relative error of predictions of that coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const { return surface_.relative_error(coverage); }

 private:
  AttentionSurface surface_;
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

}  // namespace dfsweep
