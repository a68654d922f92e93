#include "models/calibration/error_summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep::calibration {

namespace {

double quantile_of_sorted(std::span<const double> sorted, double p) {
  if (sorted.empty()) return 0.0;
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
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
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, p);
}

}  // namespace dfsweep::calibration
