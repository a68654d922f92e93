/// The fit behind the constants of software stacks: maximum a posteriori over measured steps, one factor for each
/// source.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/measured_steps.hpp"

namespace dfsweep::testing {

/// A step to fit, with what decides which constants it has.
struct FitRow {
  training::TrainingPoint point;  ///< constants are set over those of its software
  std::string accelerator;
  std::string stack;
  std::size_t source = 0;  ///< no_source: predicted as it is
  double seconds = 0.0;    ///< measured
  bool has_experts = false;
  std::string configuration = {};  ///< rows of equal settings share it
};

inline constexpr std::size_t no_source = SIZE_MAX;

/// A constant of stacks. Its logarithm is normal around that of `first`, with the standard deviation `spread`.
struct FitConstant {
  std::string name;
  double first = 1.0;
  double spread = 0.1;
  std::function<bool(const FitRow&)> applies;
  std::function<void(training::TrainingPoint&, const FitRow&, double)> set;
};

/// In the order in which they are set: factors come after what they multiply.
[[nodiscard]] std::vector<FitConstant> fit_constants(std::span<const FitRow> rows);

/// Seconds of the row's step under these values of the constants.
[[nodiscard]] double predicted_seconds(const FitRow& row, std::span<const FitConstant> constants,
                                       std::span<const double> values);

/// Values of the constants that minimise, over rows i of sources s with predictions t_i and measured times y_i,
///
///     2 sum_i c^2 (sqrt(1 + (r_i / c)^2) - 1) / c^2 + sum_k (ln(x_k / first_k) / spread_k)^2 + sum_s (f_s / 0.08)^2
///
/// with r_i = ln(t_i / y_i) + f_s(i) and c = 0.07: a robust loss, so that a few rows of unknown settings do not decide.
/// The factors f are what a source does otherwise; predictions leave them out, and rows without a source have none.
/// Damped Gauss-Newton steps, at most `steps` of them.
[[nodiscard]] std::vector<double> fit(std::span<const FitRow> rows, std::span<const FitConstant> constants,
                                      std::size_t sources, int steps);

}  // namespace dfsweep::testing
