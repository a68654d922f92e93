/// Out-of-sample errors: errors of rows that were left out of the fit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

/// Whether the prediction of a left-out row uses the factor of its group.
enum class GroupFactor : std::uint8_t {
  unknown,  ///< no factor: the row may be the first of its group
  fitted,   ///< the factor fitted to other rows of the group
};

/// [row] ln(predicted / measured) of the rows of fold `fold` by a fit to all other rows; 0 for other rows. The fit
/// starts at `full`.
[[nodiscard]] std::vector<double> errors_of_fold(const CalibrationProblem& problem,
                                                 std::span<const std::uint32_t> folds, std::uint32_t fold,
                                                 const Fit& full, const FitOptions& options = {},
                                                 GroupFactor factor = GroupFactor::unknown);

/// [row] ln(predicted / measured) by a fit without the fold of the row (cross-validation). `folds`: [row] number of its
/// fold. Each fit starts at `full`, the fit to all rows with the starts of `options`.
[[nodiscard]] std::vector<double> left_out_errors(const CalibrationProblem& problem,
                                                  std::span<const std::uint32_t> folds, const FitOptions& options = {});
[[nodiscard]] std::vector<double> left_out_errors(const CalibrationProblem& problem,
                                                  std::span<const std::uint32_t> folds, const Fit& full,
                                                  const FitOptions& options = {});

/// The fit to the rows whose `seen` [row] is not 0; `log_errors` has the errors of all rows.
[[nodiscard]] Fit fit_to_seen(const CalibrationProblem& problem, std::span<const std::uint8_t> seen,
                              const FitOptions& options = {});

/// ln(predicted / measured) of the rows outside the fit, in their order: the quality of extrapolation.
[[nodiscard]] std::vector<double> extrapolation_errors(const CalibrationProblem& problem,
                                                       std::span<const std::uint8_t> seen,
                                                       const FitOptions& options = {});

}  // namespace dfsweep::calibration
