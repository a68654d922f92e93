/// Exponential, logarithm and normal quantile in plain arithmetic: the same bits on every host, which the functions of
/// C libraries do not promise.
#pragma once

namespace dfsweep::queueing {

/// Natural logarithm to about 2 units in the last place. Pre: x > 0, finite.
[[nodiscard]] double portable_log(double x);

/// e^x to about 2 units in the last place. Pre: |x| < 700.
[[nodiscard]] double portable_exp(double x);

/// Inverse of the standard normal distribution, to 1e-15 relative. Pre: 0 < p < 1. Source: [wichura]
[[nodiscard]] double portable_normal_quantile(double p);

}  // namespace dfsweep::queueing
