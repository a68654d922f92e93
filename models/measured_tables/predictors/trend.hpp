/// Trend: a time as a sum of physical terms with non-negative coefficients, fitted to measurements.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace dfsweep {

inline constexpr std::size_t trend_terms = 4;
/// Resolution of kernel timers.
inline constexpr double least_kernel_seconds = 1e-7;
using TrendTerms = std::array<double, trend_terms>;  ///< unused terms are always 0

struct TrendPoint {
  TrendTerms terms{};
  double seconds = 0.0;
};

/// Coefficients c >= 0 that minimise the sum of (c . terms / seconds - 1)^2 over points with positive time; all zero
/// without such points. Non-negative least squares by enumeration: at the minimum some terms are 0 and the others solve
/// the normal equations.
TrendTerms fit_trend(std::span<const TrendPoint> points);

constexpr double trend_value(const TrendTerms& coefficients, const TrendTerms& terms) {
  double sum = 0.0;
  for (std::size_t term = 0; term < trend_terms; ++term) sum += coefficients[term] * terms[term];
  return sum;
}

}  // namespace dfsweep
