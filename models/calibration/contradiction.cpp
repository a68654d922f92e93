#include "models/calibration/contradiction.hpp"

#include <algorithm>
#include <cmath>

#include "models/calibration/predictions.hpp"

namespace dfsweep::calibration {

namespace {

constexpr double loss_variance = 2.699483935593789;  // K_2(1) / K_1(1)

std::vector<double> deviations_at(const CalibrationProblem& problem, const std::vector<double>& predictions,
                                  double least_group_spread) {
  const std::vector<double> at_prior(problem.unknowns.size(), 0.0);
  const std::vector<double> slopes = quantity_slopes(problem, at_prior, predictions);
  const double group = std::max(problem.group_spread, least_group_spread);
  std::vector<double> variances(predictions.size(),
                                group * group + loss_variance * problem.loss_scale * problem.loss_scale);
  for (const Unknown& unknown : problem.unknowns)
    for (std::size_t row = 0; row < variances.size(); ++row) {
      if (!unknown.applies[row]) continue;
      const double moved = unknown.spread * slopes[row * problem.quantities + unknown.quantity];
      variances[row] += moved * moved;
    }
  for (double& variance : variances) variance = std::sqrt(variance);
  return variances;
}

}  // namespace

std::vector<double> known_deviations(const CalibrationProblem& problem, double least_group_spread) {
  const std::vector<double> at_prior(problem.unknowns.size(), 0.0);
  return deviations_at(problem, log_predictions(problem, at_prior), least_group_spread);
}

std::vector<ContradictedRow> contradicted_rows(const CalibrationProblem& problem, double least_group_spread) {
  const std::vector<double> at_prior(problem.unknowns.size(), 0.0);
  const std::vector<double> predictions = log_predictions(problem, at_prior);
  const std::vector<double> deviations = deviations_at(problem, predictions, least_group_spread);
  std::vector<ContradictedRow> found;
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const double error = predictions[row] - problem.observed[row];
    if (std::abs(error) > contradicted_beyond * deviations[row]) found.push_back({row, error, deviations[row]});
  }
  return found;
}

std::vector<std::size_t> contradicted_unknowns(const CalibrationProblem& problem, const Fit& fit) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
    if (std::abs(fit.values[k]) > contradicted_beyond * problem.unknowns[k].spread) found.push_back(k);
  return found;
}

}  // namespace dfsweep::calibration
