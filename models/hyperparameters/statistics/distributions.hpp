/// The normal and Student distributions, as intervals need them.
#pragma once

namespace dfsweep::hyperparameters {

/// Probability that a standard normal variable is at most `x`.
[[nodiscard]] double normal_cdf(double x);

/// The x of which normal_cdf is `p`, to about 1e-15 of itself. Pre: 0 < p < 1.
/// Source: [wichura] algorithm AS 241, PPND16.
[[nodiscard]] double normal_quantile(double p);

/// Probability that a Student variable of `degrees` degrees of freedom (a real number) is at most `t`.
/// Pre: degrees > 0.
[[nodiscard]] double student_cdf(double t, double degrees);

/// The t of which student_cdf is `p`, to about 1e-12 of itself. Pre: 0 < p < 1, degrees > 0.
[[nodiscard]] double student_quantile(double p, double degrees);

}  // namespace dfsweep::hyperparameters
