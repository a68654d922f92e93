/// Measurement designs: which rows, once timed on a new device, determine the numbers of a closed form best.
///
/// The logarithms x of the numbers are known from other devices up to a spread, a measured time differs from the form
/// by a scatter, and near the numbers of other devices ln(time) is linear in x. So the rows alone say how well the form
/// will be known: the covariance of x after a row with slopes g is S - S g g' S / (scatter^2 + g' S g). Rows are chosen
/// one by one, each where the mean of g' S g over all candidates falls most. Source: Bayesian design for predictions,
/// chaloner1995.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

/// What is known before anything is timed.
struct DesignPrior {
  double spread = 0.35;  ///< standard deviation of ln(number) between devices
  double scatter = 0.1;  ///< standard deviation of ln(measured / form) once the numbers are known
};

struct MeasurementDesign {
  std::vector<std::size_t> rows;  ///< chosen candidates, the most telling first; none twice
  /// [k] median relative error to expect over all candidates after the first k rows; one more than rows. It never
  /// grows.
  std::vector<double> expected_error;
};

/// `start`: numbers of other devices; those that are 0 are not part of the form. Pre: candidates are in the ranges of
/// their keys; count <= candidates.size(); prior > 0. Equal gains: the first candidate.
[[nodiscard]] MeasurementDesign measurement_design(Family family, std::span<const Keys> candidates,
                                                   const TableSetting& setting, const Numbers& start,
                                                   const DesignPrior& prior, std::size_t count);

}  // namespace dfsweep::operators
