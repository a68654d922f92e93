/// Rows that contradict the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::calibration {

struct OddRow {
  std::size_t row = 0;
  double error = 0.0;                ///< ln(predicted / measured) by a fit that has not seen it
  double deviations = 0.0;           ///< its distance from the median of all rows in their robust standard deviations
  double deviations_in_group = 0.0;  ///< the same of its group; of all rows where the group is small
};

/// Rows farther than `limit` robust standard deviations from the median, both of all rows and of their group, in the
/// order of rows. Groups of fewer than `least_rows` rows say nothing of their own scatter: their rows are compared with
/// all rows only. `errors` [row], of rows left out; `groups` [row], or empty: one group.
[[nodiscard]] std::vector<OddRow> odd_rows(std::span<const double> errors, std::span<const std::uint32_t> groups,
                                           double limit = 3.5, std::size_t least_rows = 5);

/// The middle of values and their robust standard deviation: 1.4826 times the median absolute deviation, which is the
/// standard deviation of normal values.
struct RobustSpread {
  double median = 0.0;
  double deviation = 0.0;
  /// Of a value from the median, in deviations; infinite for another value where most are equal.
  [[nodiscard]] double distance(double value) const;
};
[[nodiscard]] RobustSpread robust_spread(std::span<const double> values);

}  // namespace dfsweep::calibration
