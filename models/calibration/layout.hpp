/// Layout: the rows that a fit uses and the variables that it moves, in units of their spreads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

/// Variables are the fitted unknowns, then the factors of groups with at least one used row. The prior of each is
/// standard normal.
struct Layout {
  std::vector<std::size_t> rows;  ///< rows of weight above 0
  Eigen::VectorXd weights;        ///< weights of these rows
  std::vector<std::size_t> unknowns;
  std::vector<std::size_t> groups;

  [[nodiscard]] std::size_t variables() const { return unknowns.size() + groups.size(); }
};

/// `weights`: [row], empty: all 1. `fitted`: [unknown], empty: all. Unknowns with spread 0 are fixed; groups have no
/// factors where group_spread is 0.
[[nodiscard]] Layout layout_of(const CalibrationProblem& problem, std::span<const double> weights,
                               std::span<const std::uint8_t> fitted);

/// [index into rows][index into unknowns] Slopes of ln(predicted) by unknowns in units of their spreads.
[[nodiscard]] Eigen::MatrixXd unknown_slopes(const CalibrationProblem& problem, std::span<const std::size_t> rows,
                                             std::span<const std::size_t> unknowns,
                                             std::span<const double> quantity_slopes);

/// [index into rows][variable] Slopes of ln(predicted) + factor by the variables; 0 for rows without a finite
/// prediction.
[[nodiscard]] Eigen::MatrixXd variable_slopes(const CalibrationProblem& problem, const Layout& layout,
                                              std::span<const double> quantity_slopes,
                                              std::span<const double> predictions);

}  // namespace dfsweep::calibration
