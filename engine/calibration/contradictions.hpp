/// Contradictions: rows whose measurements cannot be what they say, and fits that keep numbers which rows would move
/// too far.
#pragma once

#include <span>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/left_out_ways.hpp"

namespace dfsweep {

/// Rows more than three standard deviations from their prediction: the uncertainty of all numbers that may be fitted,
/// of sources and of single rows together leaves no room for them. The hint names the unit with which the row would
/// agree. `problem`: with the spreads that are known beforehand, of the `kept` observations.
[[nodiscard]] std::vector<RefusedRow> contradicted_observations(const calibration::CalibrationProblem& problem,
                                                                const MeasuredSweep& sweep,
                                                                std::span<const std::size_t> kept);

/// A fit, and the numbers that are not part of it because it would move them by more than three of their spreads.
struct UncontradictedFit {
  FullFit full;
  std::vector<std::uint8_t> fitted;  ///< [unknown] 0: not fitted
  std::vector<double> contradicted;  ///< [unknown] the displacement at which the rows fit best; absent elsewhere
};

/// Fits, sets the number that is farthest beyond three spreads back to its value, and fits again until there is no such
/// number. `known`: the problem with the spreads that are known beforehand; `problem`: at the level that is fitted.
[[nodiscard]] UncontradictedFit uncontradicted_fit(const calibration::CalibrationProblem& known,
                                                   const calibration::CalibrationProblem& problem,
                                                   const calibration::FitOptions& options, unsigned threads);

}  // namespace dfsweep
