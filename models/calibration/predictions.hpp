/// Predictions of the model for all rows at given values of the unknowns, and their slopes by each quantity.
#pragma once

#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

/// [row] ln(predicted) at `values` [unknown]. Not finite where the model has no prediction.
[[nodiscard]] std::vector<double> log_predictions(const CalibrationProblem& problem, std::span<const double> values);

/// Error of the logarithm assumed for a row without a prediction: a factor of 20.
inline constexpr double error_without_prediction = 3.0;

/// [row] ln(predicted / measured) of these predictions; never NaN.
[[nodiscard]] std::vector<double> log_errors(const CalibrationProblem& problem, std::span<const double> predictions);

/// [row * quantities + quantity] Slopes of ln(predicted) by displacements at `values`, with `predictions` from
/// log_predictions(). Forward differences of one quantity in all rows at once; 0 where a prediction is missing.
[[nodiscard]] std::vector<double> quantity_slopes(const CalibrationProblem& problem, std::span<const double> values,
                                                  std::span<const double> predictions);

}  // namespace dfsweep::calibration
