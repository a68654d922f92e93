#include "models/calibration/layout.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::calibration {

Layout layout_of(const CalibrationProblem& problem, std::span<const double> weights,
                 std::span<const std::uint8_t> fitted) {
  const std::size_t rows = problem.observed.size();
  DFSWEEP_EXPECT(weights.empty() || weights.size() == rows);
  DFSWEEP_EXPECT(fitted.empty() || fitted.size() == problem.unknowns.size());
  DFSWEEP_EXPECT(problem.groups.empty() || problem.groups.size() == rows);
  Layout layout;
  std::vector<bool> seen(problem.group_count, false);
  std::vector<double> kept;
  for (std::size_t row = 0; row < rows; ++row) {
    const double weight = weights.empty() ? 1.0 : weights[row];
    if (!(weight > 0.0)) continue;
    layout.rows.push_back(row);
    kept.push_back(weight);
    if (problem.group_spread > 0.0) seen[problem.groups[row]] = true;
  }
  layout.weights = Eigen::Map<const Eigen::VectorXd>(kept.data(), static_cast<Eigen::Index>(kept.size()));
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
    if (problem.unknowns[k].spread > 0.0 && (fitted.empty() || fitted[k] != 0)) layout.unknowns.push_back(k);
  for (std::size_t group = 0; group < seen.size(); ++group)
    if (seen[group]) layout.groups.push_back(group);
  return layout;
}

Eigen::MatrixXd unknown_slopes(const CalibrationProblem& problem, std::span<const std::size_t> rows,
                               std::span<const std::size_t> unknowns, std::span<const double> quantity_slopes) {
  Eigen::MatrixXd slopes(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(unknowns.size()));
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    const Unknown& unknown = problem.unknowns[unknowns[j]];
    for (std::size_t i = 0; i < rows.size(); ++i)
      slopes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          unknown.applies[rows[i]] ? unknown.spread * quantity_slopes[rows[i] * problem.quantities + unknown.quantity]
                                   : 0.0;
  }
  return slopes;
}

Eigen::MatrixXd variable_slopes(const CalibrationProblem& problem, const Layout& layout,
                                std::span<const double> quantity_slopes, std::span<const double> predictions) {
  const auto unknowns = static_cast<Eigen::Index>(layout.unknowns.size());
  const auto groups = static_cast<Eigen::Index>(layout.groups.size());
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(layout.rows.size()), unknowns + groups);
  slopes.leftCols(unknowns) = unknown_slopes(problem, layout.rows, layout.unknowns, quantity_slopes);
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const std::size_t row = layout.rows[i];
    if (!std::isfinite(predictions[row])) {
      slopes.row(at).setZero();
    } else if (groups > 0) {
      const auto group = std::lower_bound(layout.groups.begin(), layout.groups.end(), problem.groups[row]);
      slopes(at, unknowns + (group - layout.groups.begin())) = problem.group_spread;
    }
  }
  return slopes;
}

}  // namespace dfsweep::calibration
