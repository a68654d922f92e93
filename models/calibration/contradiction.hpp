/// Contradictions: measured rows and fitted numbers that are farther from what is known beforehand than its
/// uncertainty.
#pragma once

#include <vector>

#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

/// Standard deviations beyond which a row or a number is contradicted.
inline constexpr double contradicted_beyond = 3.0;

/// [row] Standard deviation of ln(measured / predicted) before any fit,
///     sqrt(sum_k (slope_k spread_k)^2 + group_spread^2 + 2.6995 loss_scale^2),
/// with the slopes of ln(predicted) by the unknowns at 0. A row whose loss is 2 (sqrt(1 + u^2) - 1) has the density
/// exp(1 - sqrt(1 + u^2)) in u = r / loss_scale, a hyperbolic one of variance K_2(1) / K_1(1) = 2.6995.
/// `least_group_spread` counts where the problem has no groups.
[[nodiscard]] std::vector<double> known_deviations(const CalibrationProblem& problem, double least_group_spread);

struct ContradictedRow {
  std::size_t row = 0;
  double error = 0.0;      ///< ln(predicted / measured) before any fit
  double deviation = 0.0;  ///< as from known_deviations
};
/// Rows whose error is more than contradicted_beyond of these deviations, in their order.
[[nodiscard]] std::vector<ContradictedRow> contradicted_rows(const CalibrationProblem& problem,
                                                             double least_group_spread);

/// Unknowns that a fit displaces by more than contradicted_beyond of their spreads. `problem`: with the spreads that
/// are known beforehand.
[[nodiscard]] std::vector<std::size_t> contradicted_unknowns(const CalibrationProblem& problem, const Fit& fit);

}  // namespace dfsweep::calibration
