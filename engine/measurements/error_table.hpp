/// How far predictions are from measured rows: one line for all of them, one for each group.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/measurements/joined_rows.hpp"

namespace dfsweep {

/// Errors of the rows of one group. Shares and quantiles are NaN if no row is joined.
struct ErrorLine {
  std::string group;         ///< "" for all rows
  std::size_t measured = 0;  ///< rows of the file
  std::size_t joined = 0;    ///< of these, with a prediction
  double median = 0.0;       ///< of |predicted / measured - 1|, linear between rows
  double percentile90 = 0.0;
  double within_third = 0.0;     ///< share of rows within a factor of 1.3
  double within_half = 0.0;      ///< within a factor of 1.5
  double predicted_ratio = 0.0;  ///< geometric mean of predicted / measured
};

/// All rows first, then the groups in the order of the file; only the first where there is but one group.
[[nodiscard]] std::vector<ErrorLine> error_lines(const MeasuredMetric& metric);

/// |predicted / measured - 1| at that share of the joined rows, linear between them; NaN if there are none. Pre: 0 <=
/// share <= 1.
[[nodiscard]] double error_at(const MeasuredMetric& metric, double share);

/// Places of the joined rows, the one with the greatest ratio of predicted and measured, whichever is greater, first.
[[nodiscard]] std::vector<std::size_t> worst_first(const MeasuredMetric& metric);

}  // namespace dfsweep
