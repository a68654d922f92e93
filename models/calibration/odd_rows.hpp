/// Odd rows: outliers among the measured rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::calibration {

struct OddRow {
  std::size_t row = 0;
  double error = 0.0;                ///< out-of-sample ln(predicted / measured)
  double deviations = 0.0;           ///< distance from the median of all rows, in robust standard deviations
  double deviations_in_group = 0.0;  ///< the same within its group; of all rows where the group is small
};

/// Rows farther than `limit` robust standard deviations from the median, both of all rows and of their group, in the
/// order of rows. Rows of groups with fewer than `least_rows` rows are compared with all rows only, because the scatter
/// of a small group is unknown. `errors`: [row] out-of-sample errors; `groups`: [row], empty: one group.
[[nodiscard]] std::vector<OddRow> odd_rows(std::span<const double> errors, std::span<const std::uint32_t> groups,
                                           double limit = 3.5, std::size_t least_rows = 5);

/// Median and robust standard deviation of values: 1.4826 times the median absolute deviation, which equals the
/// standard deviation for a normal distribution.
struct RobustSpread {
  double median = 0.0;
  double deviation = 0.0;
  /// Distance of a value from the median in standard deviations; infinite for a different value where the deviation is
  /// 0.
  [[nodiscard]] double distance(double value) const;
};
[[nodiscard]] RobustSpread robust_spread(std::span<const double> values);

}  // namespace dfsweep::calibration
