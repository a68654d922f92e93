/// Median and 90th percentile of the size of errors.
/// Source: docs/calibrate.md, how far to trust it.
#pragma once

#include <span>

namespace dfsweep::calibration {

struct ErrorSummary {
  double median = 0.0;
  double percentile90 = 0.0;
};

/// Of |ln(predicted / measured)|: half and twice count alike, so that levels are chosen by it.
[[nodiscard]] ErrorSummary summarize_errors(std::span<const double> log_errors);

/// Of |predicted / measured - 1|, as reports tell errors, from the same logarithms.
[[nodiscard]] ErrorSummary summarize_relative_errors(std::span<const double> log_errors);

/// The value below which the share `p` of the values lies, linear between them: at place p (n - 1) of the sorted ones.
/// 0 without values. Pre: 0 <= p <= 1.
[[nodiscard]] double quantile(std::span<const double> values, double p);

}  // namespace dfsweep::calibration
