/// Calibration problems whose logarithms are linear in the displacements: their optima have closed forms.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::testing {

/// ln(predicted) = slopes x displacements [row][quantity]; one unknown for each quantity, in all rows, of spread
/// `spread`. Nothing is observed yet, and there are no groups.
inline calibration::CalibrationProblem linear_problem(Eigen::MatrixXd slopes, double spread) {
  calibration::CalibrationProblem problem;
  const auto rows = static_cast<std::size_t>(slopes.rows());
  problem.quantities = static_cast<std::size_t>(slopes.cols());
  for (std::size_t q = 0; q < problem.quantities; ++q)
    problem.unknowns.push_back({q, spread, std::vector<bool>(rows, true)});
  problem.observed.assign(rows, 0.0);
  problem.groups.assign(rows, 0);
  problem.group_count = 1;
  problem.predict = [slopes = std::move(slopes)](std::span<const double> displacements, std::span<double> predictions) {
    for (Eigen::Index row = 0; row < slopes.rows(); ++row) {
      double sum = 0.0;
      for (Eigen::Index q = 0; q < slopes.cols(); ++q)
        sum += slopes(row, q) * displacements[static_cast<std::size_t>(row * slopes.cols() + q)];
      predictions[static_cast<std::size_t>(row)] = sum;
    }
  };
  return problem;
}

}  // namespace dfsweep::testing
