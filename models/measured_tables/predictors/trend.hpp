/// Trend: a time as a sum of physical terms with coefficients that are not negative, fitted to measurements.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace dfsweep::inference {

inline constexpr std::size_t trend_terms = 4;
/// No kernel timer resolves less.
inline constexpr double least_kernel_seconds = 1e-7;
using TrendTerms = std::array<double, trend_terms>;  ///< unused terms are 0 everywhere

struct TrendPoint {
  TrendTerms terms{};
  double seconds = 0.0;
};

/// Coefficients c >= 0 with the least sum of (c . terms / seconds - 1)^2; points of no time are left out. All zero
/// where no point is left. The minimum lies where some terms are dropped and the others solve the normal equations, so
/// every subset of the terms is tried.
TrendTerms fit_trend(std::span<const TrendPoint> points);

constexpr double trend_value(const TrendTerms& coefficients, const TrendTerms& terms) {
  double sum = 0.0;
  for (std::size_t term = 0; term < trend_terms; ++term) sum += coefficients[term] * terms[term];
  return sum;
}

}  // namespace dfsweep::inference
