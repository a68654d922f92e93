#include "models/calibration/predictions.hpp"

#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::calibration {

namespace {

constexpr double difference = 1e-4;  // step of the logarithm for finite differences

/// [row * quantities + quantity] Displacements at values of the unknowns.
std::vector<double> displacements(const CalibrationProblem& problem, std::span<const double> values) {
  DFSWEEP_EXPECT(values.size() == problem.unknowns.size());
  const std::size_t rows = problem.observed.size();
  std::vector<double> sums(rows * problem.quantities, 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Unknown& unknown = problem.unknowns[k];
    if (values[k] == 0.0) continue;
    for (std::size_t row = 0; row < rows; ++row)
      if (unknown.applies[row]) sums[row * problem.quantities + unknown.quantity] += values[k];
  }
  return sums;
}

/// [quantity] Whether an unknown displaces it.
std::vector<bool> displaced_quantities(const CalibrationProblem& problem) {
  std::vector<bool> displaced(problem.quantities, false);
  for (const Unknown& unknown : problem.unknowns) displaced[unknown.quantity] = true;
  return displaced;
}

}  // namespace

std::vector<double> log_predictions(const CalibrationProblem& problem, std::span<const double> values) {
  std::vector<double> predictions(problem.observed.size());
  problem.predict(displacements(problem, values), predictions);
  return predictions;
}

std::vector<double> log_errors(const CalibrationProblem& problem, std::span<const double> predictions) {
  std::vector<double> errors(predictions.size());
  for (std::size_t row = 0; row < errors.size(); ++row)
    errors[row] = std::isfinite(predictions[row]) ? predictions[row] - problem.observed[row] : error_without_prediction;
  return errors;
}

std::vector<double> quantity_slopes(const CalibrationProblem& problem, std::span<const double> values,
                                    std::span<const double> predictions) {
  const std::size_t rows = problem.observed.size();
  const std::size_t quantities = problem.quantities;
  const std::vector<bool> displaced = displaced_quantities(problem);
  const std::vector<double> at = displacements(problem, values);
  std::vector<double> moved(rows);
  std::vector<double> slopes(rows * quantities, 0.0);
  for (std::size_t q = 0; q < quantities; ++q) {
    if (!displaced[q]) continue;
    std::vector<double> beside = at;
    for (std::size_t row = 0; row < rows; ++row) beside[row * quantities + q] += difference;
    problem.predict(beside, moved);
    for (std::size_t row = 0; row < rows; ++row) {
      const double slope = (moved[row] - predictions[row]) / difference;
      if (std::isfinite(slope)) slopes[row * quantities + q] = slope;
    }
  }
  return slopes;
}

}  // namespace dfsweep::calibration
