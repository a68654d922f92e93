/// The normal and Student distributions, as intervals need them.
#pragma once

namespace dfsweep::hyperparameters {

/// Probability that a standard normal variable is at most `x`.
[[nodiscard]] double normal_cdf(double x);

/// The x of which normal_cdf is `p`. Pre: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// The t that a Student variable of `degrees` degrees of freedom (a real number) is at most with probability `p`.
/// Pre: 0 < p < 1, degrees > 0.
[[nodiscard]] double student_quantile(double p, double degrees);

}  // namespace dfsweep::hyperparameters
