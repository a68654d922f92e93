#include "models/calibration/left_out.hpp"

#include <algorithm>

#include "models/expect.hpp"

namespace dfsweep::calibration {

std::vector<double> errors_of_fold(const CalibrationProblem& problem, std::span<const std::uint32_t> folds,
                                   std::uint32_t fold, const Fit& full, const FitOptions& options, GroupFactor factor) {
  DFSWEEP_EXPECT(folds.size() == problem.observed.size());
  std::vector<double> weights(folds.size());
  for (std::size_t row = 0; row < folds.size(); ++row) weights[row] = folds[row] == fold ? 0.0 : 1.0;
  const std::vector<double> start = start_from(full);
  FitOptions warm = options;
  warm.start = start;
  warm.starts = 1;
  const Fit others = fit(problem, weights, warm);
  std::vector<double> errors(folds.size(), 0.0);
  for (std::size_t row = 0; row < folds.size(); ++row)
    if (folds[row] == fold)
      errors[row] =
          others.log_errors[row] + (factor == GroupFactor::fitted ? others.factors[problem.groups[row]] : 0.0);
  return errors;
}

std::vector<double> left_out_errors(const CalibrationProblem& problem, std::span<const std::uint32_t> folds,
                                    const FitOptions& options) {
  return left_out_errors(problem, folds, fit(problem, {}, options), options);
}

std::vector<double> left_out_errors(const CalibrationProblem& problem, std::span<const std::uint32_t> folds,
                                    const Fit& full, const FitOptions& options) {
  std::vector<std::uint32_t> numbers(folds.begin(), folds.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<double> errors(folds.size(), 0.0);
  for (const std::uint32_t fold : numbers) {
    const std::vector<double> of_fold = errors_of_fold(problem, folds, fold, full, options);
    for (std::size_t row = 0; row < folds.size(); ++row)
      if (folds[row] == fold) errors[row] = of_fold[row];
  }
  return errors;
}

Fit fit_to_seen(const CalibrationProblem& problem, std::span<const std::uint8_t> seen, const FitOptions& options) {
  DFSWEEP_EXPECT(seen.size() == problem.observed.size());
  std::vector<double> weights(seen.size());
  for (std::size_t row = 0; row < seen.size(); ++row) weights[row] = seen[row] != 0 ? 1.0 : 0.0;
  return fit(problem, weights, options);
}

std::vector<double> extrapolation_errors(const CalibrationProblem& problem, std::span<const std::uint8_t> seen,
                                         const FitOptions& options) {
  const Fit found = fit_to_seen(problem, seen, options);
  std::vector<double> errors;
  for (std::size_t row = 0; row < seen.size(); ++row)
    if (seen[row] == 0) errors.push_back(found.log_errors[row]);
  return errors;
}

}  // namespace dfsweep::calibration
