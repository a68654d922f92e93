#include "models/calibration/error_summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep::calibration {

namespace {

/// The value at a place between those of two sorted values, counted from 0.
double value_at(std::span<const double> sorted, double place) {
  if (sorted.empty()) return 0.0;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double quantile_of_sorted(std::span<const double> sorted, double p) {
  return value_at(sorted, p * (static_cast<double>(sorted.size()) - 1.0));
}

std::vector<double> in_order(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

ErrorSummary summary_of(std::span<const double> log_errors, double (*size_of)(double)) {
  std::vector<double> sizes(log_errors.size());
  std::transform(log_errors.begin(), log_errors.end(), sizes.begin(), size_of);
  std::sort(sizes.begin(), sizes.end());
  return {quantile_of_sorted(sizes, 0.5), quantile_of_sorted(sizes, 0.9)};
}

}  // namespace

ErrorSummary summarize_errors(std::span<const double> log_errors) {
  return summary_of(log_errors, [](double error) { return std::abs(error); });
}

ErrorSummary summarize_relative_errors(std::span<const double> log_errors) {
  return summary_of(log_errors, [](double error) { return std::abs(std::expm1(error)); });
}

double quantile(std::span<const double> values, double p) {
  DFSWEEP_EXPECT(p >= 0.0 && p <= 1.0);
  return quantile_of_sorted(in_order(values), p);
}

double quantile_of_next(std::span<const double> values, double p) {
  DFSWEEP_EXPECT(p >= 0.0 && p <= 1.0);
  const auto count = static_cast<double>(values.size());
  return value_at(in_order(values), std::clamp(p * (count + 1.0) - 1.0, 0.0, std::max(count - 1.0, 0.0)));
}

}  // namespace dfsweep::calibration
