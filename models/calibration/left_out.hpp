/// Errors of rows that the fit has not seen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

/// What a prediction of a row that was left out may use of the factor of its group.
enum class GroupFactor : std::uint8_t {
  unknown,  ///< nothing: the row may be the first of its group
  fitted,   ///< the factor that other rows of the group tell
};

/// ln(predicted / measured) [row] of those rows of fold number `fold` by a fit to all other rows, 0 for the rest. The
/// fit starts at `full`.
[[nodiscard]] std::vector<double> errors_of_fold(const CalibrationProblem& problem,
                                                 std::span<const std::uint32_t> folds, std::uint32_t fold,
                                                 const Fit& full, const FitOptions& options = {},
                                                 GroupFactor factor = GroupFactor::unknown);

/// ln(predicted / measured) [row] of every row by a fit that has not seen its fold. `folds` [row]: numbers of folds.
/// Each fit starts at the one to all rows, `full`; that one has the starts of `options`.
[[nodiscard]] std::vector<double> left_out_errors(const CalibrationProblem& problem,
                                                  std::span<const std::uint32_t> folds, const FitOptions& options = {});
[[nodiscard]] std::vector<double> left_out_errors(const CalibrationProblem& problem,
                                                  std::span<const std::uint32_t> folds, const Fit& full,
                                                  const FitOptions& options = {});

/// The fit to the rows of which `seen` [row] is not 0; `log_errors` has the errors of all rows.
[[nodiscard]] Fit fit_to_seen(const CalibrationProblem& problem, std::span<const std::uint8_t> seen,
                              const FitOptions& options = {});

/// ln(predicted / measured) of the rows not seen by that fit, in their order: how far a fit carries beyond its rows.
[[nodiscard]] std::vector<double> extrapolation_errors(const CalibrationProblem& problem,
                                                       std::span<const std::uint8_t> seen,
                                                       const FitOptions& options = {});

}  // namespace dfsweep::calibration
