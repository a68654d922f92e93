/// Prediction errors of measured rows: one line for all rows, one for each group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/measurements/joined_rows.hpp"

namespace dfsweep {

/// Errors of one group of rows. Shares and quantiles are NaN if no row is joined.
struct ErrorLine {
  std::string group;         ///< "" for all rows
  std::size_t measured = 0;  ///< number of rows in the file
  std::size_t joined = 0;    ///< number of rows with a prediction
  double median = 0.0;       ///< of |predicted / measured - 1|, linearly interpolated
  double percentile90 = 0.0;
  double within_third = 0.0;     ///< share of rows with an error below a factor of 1.3
  double within_half = 0.0;      ///< the same for a factor of 1.5
  double predicted_ratio = 0.0;  ///< geometric mean of predicted / measured
};

/// All rows first, then the groups in the order of the file; only the first line if there is one group.
[[nodiscard]] std::vector<ErrorLine> error_lines(const MeasuredMetric& metric);

/// The quantile `share` of |predicted / measured - 1| of the joined rows, linearly interpolated; NaN if no row is
/// joined. Pre: 0 <= share <= 1.
[[nodiscard]] double error_at(const MeasuredMetric& metric, double share);

/// Indices of the joined rows, by decreasing max(predicted / measured, measured / predicted).
[[nodiscard]] std::vector<std::size_t> worst_first(const MeasuredMetric& metric);

}  // namespace dfsweep
