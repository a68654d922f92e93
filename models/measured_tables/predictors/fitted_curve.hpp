/// Fitted curves: exact at measured keys, interpolated by a random walk with tile effects, extrapolated by a physical
/// trend.
#pragma once

#include <span>
#include <vector>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/tile_walk.hpp"

namespace dfsweep {

/// The measured keys in ascending order. Repetitions are averaged; `level` uses at least 0.1 us, the resolution of
/// kernel timers.
std::vector<WalkKey> measured_keys(std::span<const CurvePoint> points);

/// Extrapolation beyond the last key (or before the first one) in proportion to constant + slope * tokens.
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
  /// Leave-one-out error: mean |left out / measured - 1| over the inner keys. 0 with fewer than three keys.
  [[nodiscard]] double left_out_error() const { return left_out_error_; }

 private:
  std::vector<WalkKey> keys_;
  WalkVariances variances_;
  std::vector<double> smoothed_;  ///< [key] level
  CurveTrend before_, beyond_;
  double left_out_error_ = 0.0;
};

/// CurveFit tabulated at every whole number of tokens up to the last key, at most 262 144. Expected errors: for
/// measured keys the spread of repetitions (or the error of interpolated keys without repetitions), for interpolated
/// keys the leave-one-out error, for extrapolated keys the error of the upper half of the table predicted from the
/// lower half.
Curve fitted_curve(std::span<const CurvePoint> points);

}  // namespace dfsweep
