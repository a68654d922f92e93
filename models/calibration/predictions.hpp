/// What the model predicts for all rows at given values of the unknowns, and how that changes with each quantity.
#pragma once

#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

/// ln(predicted) [row] at `values` [unknown]. Not finite where the model has no prediction.
[[nodiscard]] std::vector<double> log_predictions(const CalibrationProblem& problem, std::span<const double> values);

/// The error on the logarithm that counts for a row without a prediction: a factor of 20.
inline constexpr double error_without_prediction = 3.0;

/// ln(predicted / measured) [row] of those predictions; never NaN.
[[nodiscard]] std::vector<double> log_errors(const CalibrationProblem& problem, std::span<const double> predictions);

/// Slopes of ln(predicted) by displacements [row * quantities + quantity] at `values`, where `predictions` are those of
/// log_predictions. Forward differences of one quantity in all rows at once. 0 where a prediction is missing.
[[nodiscard]] std::vector<double> quantity_slopes(const CalibrationProblem& problem, std::span<const double> values,
                                                  std::span<const double> predictions);

}  // namespace dfsweep::calibration
