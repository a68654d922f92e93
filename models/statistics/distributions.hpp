/// Intervals, and the normal, Student, gamma and F distributions.
#pragma once

namespace dfsweep {

/// A confidence or prediction interval.
struct Interval {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool covers(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double half_width() const { return 0.5 * (high - low); }
  bool operator==(const Interval&) const = default;
};

/// Probability that a standard normal variable is at most `x`.
[[nodiscard]] double normal_cdf(double x);

/// Inverse of normal_cdf. Pre: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// Quantile `p` of the Student distribution with `degrees` degrees of freedom (a real number).
/// Pre: 0 < p < 1, degrees > 0.
[[nodiscard]] double student_quantile(double p, double degrees);

/// Quantile `p` of the gamma distribution with this shape and scale 1. Pre: 0 <= p < 1, shape > 0.
[[nodiscard]] double gamma_quantile(double p, double shape);

/// Probability that the ratio of two estimates of one variance, with these degrees of freedom, is at least `ratio`: the
/// upper tail of the F distribution. Pre: ratio >= 0, degrees > 0.
[[nodiscard]] double variance_ratio_tail(double ratio, double numerator_degrees, double denominator_degrees);

}  // namespace dfsweep
