/// Bootstrap of a calibration: intervals of unknowns and errors from resampled groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/error_summary.hpp"
#include "models/calibration/fit.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::calibration {

/// [row] How often replicate `index` draws the row. Resamples whole groups with replacement, or rows where there is
/// only one group.
[[nodiscard]] std::vector<double> resampled_weights(const CalibrationProblem& problem, std::uint64_t index,
                                                    std::uint64_t seed);

struct Replicate {
  std::vector<double> values;  ///< [unknown] fitted to the drawn rows
  ErrorSummary in_sample;      ///< relative errors of the drawn rows
  ErrorSummary left_out;
};

/// Replicate `index`, computed independently of the others, with the same bits on any thread. The fit starts at `full`,
/// the fit to all rows, with the steps (two are enough), slopes and fitted unknowns of `options`. `left_out`: [row]
/// out-of-sample errors, or empty.
[[nodiscard]] Replicate replicate(const CalibrationProblem& problem, std::uint64_t index, std::uint64_t seed,
                                  const Fit& full, std::span<const double> left_out, const FitOptions& options);

/// 95 % intervals: from the 2.5th to the 97.5th percentile of the replicates.
struct BootstrapIntervals {
  std::vector<Interval> unknowns;
  Interval median_in_sample, percentile90_in_sample;
  Interval median_left_out, percentile90_left_out;
};
[[nodiscard]] BootstrapIntervals intervals_of(std::span<const Replicate> replicates);

/// Replicates 0 to `count` - 1 in sequence, with two steps each and the slopes at `full`.
[[nodiscard]] BootstrapIntervals bootstrap(const CalibrationProblem& problem, std::uint64_t count, std::uint64_t seed,
                                           const Fit& full, std::span<const double> left_out,
                                           std::span<const std::uint8_t> fitted = {});

}  // namespace dfsweep::calibration
