/// The robust loss of a logarithmic error: quadratic near zero, linear far out.
#pragma once

#include <cmath>

namespace dfsweep::calibration {

/// With u = r / c and s = sqrt(1 + u^2), the loss of an error r is
///     L(u) = 2 (s - 1),
/// which is u^2 near zero and 2 |u| far out: the smooth form of the loss of [huber1973].
class RobustError {
 public:
  RobustError(double error, double loss_scale) : u_(error / loss_scale), s_(std::sqrt(1.0 + u_ * u_)) {}

  [[nodiscard]] double loss() const { return 2.0 * u_ * u_ / (s_ + 1.0); }
  /// The residual whose square is the loss, and its slope in u.
  [[nodiscard]] double root() const { return u_ * std::sqrt(2.0 / (s_ + 1.0)); }
  [[nodiscard]] double root_slope() const { return std::sqrt(0.5 * (s_ + 1.0)) / s_; }
  /// Half the slope of the loss in u, at most 1: u / s.
  [[nodiscard]] double influence() const { return u_ / s_; }
  /// Half the second derivative of the loss in u: s^-3.
  [[nodiscard]] double curvature() const { return 1.0 / (s_ * s_ * s_); }

 private:
  double u_, s_;
};

}  // namespace dfsweep::calibration
