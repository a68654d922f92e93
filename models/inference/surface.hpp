/// Surfaces: time of attention over two whole numbers, made from measurements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/inference/prediction.hpp"

namespace dfsweep {

/// One measurement of decode attention. Repeats of a key are separate points.
struct DecodePoint {
  double batch = 0.0;     ///< requests
  double context = 0.0;   ///< tokens in the cache of each request
  double seconds = 0.0;
};

/// One measurement of prefill attention. Repeats of a key are separate points.
struct PrefillPoint {
  double context = 0.0;  ///< tokens in the cache before the chunk
  double chunk = 0.0;    ///< new tokens
  double seconds = 0.0;
};

/// Time of one step of decode attention for `batch` requests of `context` tokens each.
class DecodeSurface {
 public:
  [[nodiscard]] Prediction predict(std::uint32_t batch, std::uint32_t context) const;
  [[nodiscard]] double seconds(std::uint32_t batch, std::uint32_t context) const;
  /// All keys at once; the four spans have one length.
  void predict(std::span<const std::uint32_t> batch, std::span<const std::uint32_t> context, std::span<double> seconds,
               std::span<Coverage> coverage) const;
  /// Expected relative error of predictions of that coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const;
};

/// Time of prefill attention for `chunk` new tokens behind `context` tokens of one prompt.
class PrefillSurface {
 public:
  [[nodiscard]] Prediction predict(std::uint32_t context, std::uint32_t chunk) const;
  [[nodiscard]] double seconds(std::uint32_t context, std::uint32_t chunk) const;
  void predict(std::span<const std::uint32_t> context, std::span<const std::uint32_t> chunk, std::span<double> seconds,
               std::span<Coverage> coverage) const;
  [[nodiscard]] double relative_error(Coverage coverage) const;
};

/// Pre: at least one point; keys >= 0; seconds >= 0 and finite.
DecodeSurface make_decode_surface(std::span<const DecodePoint> points, PredictionMethod method);
PrefillSurface make_prefill_surface(std::span<const PrefillPoint> points, PredictionMethod method);

}  // namespace dfsweep
