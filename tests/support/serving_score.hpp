/// Errors of predicted serving under load, as tests/golden/serving_load_score.py and docs/measured-serving-load.md
/// define them: means over points, and the shape of curves over users.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/support/serving_fit.hpp"

namespace dfsweep::testing {

struct PredictedRow {
  const ServingFitRow* row = nullptr;
  ServingTimes times;
};

/// Shares: 0.1 is 10 %.
struct LoadScore {
  std::size_t rows = 0;
  double token = 0.0;  ///< mean of |predicted / measured - 1| of the time per output token
  double token_shape = 0.0;
  double first = 0.0;  ///< of the time to the first token
  double first_shape = 0.0;
};

[[nodiscard]] LoadScore score_of(std::span<const PredictedRow> rows);
/// Median of |predicted / measured - 1| over both times of all rows.
[[nodiscard]] double median_error(std::span<const PredictedRow> rows);
/// "| 782 | 10.0 | 9.7 | 22.1 | 16.9 |", in percent: cells of a table.
[[nodiscard]] std::string cells_of(const LoadScore& score);

}  // namespace dfsweep::testing
