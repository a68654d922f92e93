/// Layout: which rows a fit sees and which variables it moves, each in units of its spread.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

/// Variables are the unknowns that move, then the factors of the groups of which a row is seen. Before anything is
/// measured each of them is standard normal.
struct Layout {
  std::vector<std::size_t> rows;  ///< of weight above 0
  Eigen::VectorXd weights;        ///< of those rows
  std::vector<std::size_t> unknowns;
  std::vector<std::size_t> groups;

  [[nodiscard]] std::size_t variables() const { return unknowns.size() + groups.size(); }
};

/// `weights` [row], empty: all 1. `fitted` [unknown], empty: all. An unknown without spread does not move; groups have
/// no factors where their spread is 0.
[[nodiscard]] Layout layout_of(const CalibrationProblem& problem, std::span<const double> weights,
                               std::span<const std::uint8_t> fitted);

/// Slopes of ln(predicted) by `unknowns` in units of their spreads [place in rows][place in unknowns].
[[nodiscard]] Eigen::MatrixXd unknown_slopes(const CalibrationProblem& problem, std::span<const std::size_t> rows,
                                             std::span<const std::size_t> unknowns,
                                             std::span<const double> quantity_slopes);

/// Slopes of ln(predicted) + factor by the variables [place in rows][variable]. Rows without a finite prediction have
/// none.
[[nodiscard]] Eigen::MatrixXd variable_slopes(const CalibrationProblem& problem, const Layout& layout,
                                              std::span<const double> quantity_slopes,
                                              std::span<const double> predictions);

}  // namespace dfsweep::calibration
