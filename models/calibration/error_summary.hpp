/// Median and 90th percentile of absolute errors.
/// Source: docs/calibrate.md, how far to trust it.
#pragma once

#include <span>

namespace dfsweep::calibration {

struct ErrorSummary {
  double median = 0.0;
  double percentile90 = 0.0;
};

/// Summary of |ln(predicted / measured)|. It is symmetric (half and twice have equal errors), so it is used to choose
/// levels.
[[nodiscard]] ErrorSummary summarize_errors(std::span<const double> log_errors);

/// Summary of |predicted / measured - 1| from the same logarithms, for reports.
[[nodiscard]] ErrorSummary summarize_relative_errors(std::span<const double> log_errors);

/// Quantile `p` with linear interpolation: position p (n - 1) of the sorted values. 0 without values. Pre: 0 <= p <= 1.
[[nodiscard]] double quantile(std::span<const double> values, double p);

/// The number that the next value does not exceed with probability `p`, if the values and the next one may be
/// exchanged: position p (n + 1) of the sorted values, counted from 1, with linear interpolation; at least the first,
/// at most the last. The quantile above describes the values themselves: of few, it is exceeded more often. 0 without
/// values. Pre: 0 <= p <= 1. Source: [barber2021], whose quantiles take this position without interpolation.
[[nodiscard]] double quantile_of_next(std::span<const double> values, double p);

}  // namespace dfsweep::calibration
