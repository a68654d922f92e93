/// Fitted curves: exact where measured, a random walk that knows of tiles between, a physical trend beyond.
#pragma once

#include <span>
#include <vector>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/tile_walk.hpp"

namespace dfsweep::inference {

/// The measured keys in ascending order. Repeats of a key are averaged; times under 0.1 us, which is below what kernel
/// timers resolve, count as 0.1 us in `level`.
std::vector<WalkKey> measured_keys(std::span<const CurvePoint> points);

/// The measured time continued beyond the last key (or before the first one) in proportion to constant + slope *
/// tokens.
struct CurveTrend {
  double constant = 0.0;
  double slope = 0.0;
};

class CurveFit {
 public:
  /// Pre: at least one point; tokens >= 0; seconds >= 0 and finite.
  explicit CurveFit(std::span<const CurvePoint> points);

  /// Pre: tokens >= 0.
  [[nodiscard]] double seconds(double tokens) const;
  [[nodiscard]] Coverage coverage(double tokens) const;
  [[nodiscard]] std::span<const WalkKey> keys() const { return keys_; }
  [[nodiscard]] const CurveTrend& trend_beyond() const { return beyond_; }
  /// Mean |left out / measured - 1| over the inner keys: leave-one-out cross-validation. 0 with less than three keys.
  [[nodiscard]] double left_out_error() const { return left_out_error_; }

 private:
  std::vector<WalkKey> keys_;
  WalkVariances variances_;
  std::vector<double> smoothed_;  ///< [key] level
  CurveTrend before_, beyond_;
  double left_out_error_ = 0.0;
};

/// CurveFit at every whole number of tokens up to the last key, or to 262 144 where that is less. Expected errors:
/// measured, the spread of repeats (interpolated where no key was repeated); interpolated, leave-one-out; extrapolated,
/// that of the upper half of the table predicted from the lower half.
Curve fitted_curve(std::span<const CurvePoint> points);

}  // namespace dfsweep::inference
