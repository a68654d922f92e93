/// Levenberg-Marquardt steps with slopes by differences; errors beyond the scale count linearly.
#include "models/operators/form_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/statistics/least_squares.hpp"

namespace dfsweep::operators {

namespace {

constexpr double loss_scale = 0.1;
constexpr double slope_step = 1e-4;
constexpr int most_steps = 30;

/// A fit in progress: rows, the fitted numbers, and the prior.
struct FormProblem {
  Family family;
  std::span<const FormRow> rows;
  const Numbers& start;
  std::vector<std::size_t> fitted;  ///< indices of numbers
  double spread;

  [[nodiscard]] double log_error(const FormRow& row, const Numbers& numbers) const {
    return std::log(form_time(family, row.keys, *row.setting, numbers).value() / row.seconds);
  }

  [[nodiscard]] double objective(const Numbers& numbers) const {
    double sum = 0.0;
    for (const FormRow& row : rows) {
      const double r = log_error(row, numbers) / loss_scale;
      sum += row.weight * 2.0 * loss_scale * loss_scale * (std::sqrt(1.0 + r * r) - 1.0);
    }
    for (const std::size_t k : fitted) {
      const double x = std::log(numbers[k] / start[k]) / spread;
      sum += x * x * loss_scale * loss_scale;
    }
    return sum;
  }
};

/// Normal equations of a step: the lower triangle of the matrix, and the right side.
struct NormalEquations {
  std::vector<double> matrix;
  std::vector<double> right;
};

NormalEquations normal_equations(const FormProblem& problem, const Numbers& numbers) {
  const std::size_t size = problem.fitted.size();
  NormalEquations equations{std::vector<double>(size * size), std::vector<double>(size)};
  std::vector<Numbers> moved(size, numbers);
  for (std::size_t i = 0; i < size; ++i) moved[i][problem.fitted[i]] *= std::exp(slope_step);
  std::vector<double> slopes(size);
  for (const FormRow& row : problem.rows) {
    const double error = problem.log_error(row, numbers);
    const double weight = row.weight / std::sqrt(1.0 + (error / loss_scale) * (error / loss_scale));
    for (std::size_t i = 0; i < size; ++i) slopes[i] = (problem.log_error(row, moved[i]) - error) / slope_step;
    for (std::size_t i = 0; i < size; ++i) {
      equations.right[i] -= weight * slopes[i] * error;
      for (std::size_t j = 0; j <= i; ++j) equations.matrix[i * size + j] += weight * slopes[i] * slopes[j];
    }
  }
  const double prior = loss_scale * loss_scale / (problem.spread * problem.spread);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t k = problem.fitted[i];
    equations.matrix[i * size + i] += prior;
    equations.right[i] -= prior * std::log(numbers[k] / problem.start[k]);
  }
  return equations;
}

/// The numbers after a step with this damping; the same numbers where the equations have no solution.
Numbers stepped(const FormProblem& problem, const Numbers& numbers, NormalEquations equations, double damping) {
  const std::size_t size = problem.fitted.size();
  for (std::size_t i = 0; i < size; ++i) {
    double& diagonal = equations.matrix[i * size + i];
    diagonal += damping * std::max(diagonal, 1e-9);
  }
  if (!solve_positive(equations.matrix, equations.right)) return numbers;
  Numbers next = numbers;
  for (std::size_t i = 0; i < size; ++i) next[problem.fitted[i]] *= std::exp(std::clamp(equations.right[i], -1.0, 1.0));
  return next;
}

}  // namespace

Numbers fit_form(Family family, std::span<const FormRow> rows, const Numbers& start, Pull pull) {
  FormProblem problem{family, rows, start, {}, pull == Pull::strong ? 0.35 : 1.5};
  for (std::size_t k = 0; k < most_numbers; ++k)
    if (start[k] > 0.0) problem.fitted.push_back(k);
  Numbers numbers = start;
  double objective = problem.objective(numbers);
  double damping = 1e-2;
  for (int step = 0; step < most_steps; ++step) {
    const NormalEquations equations = normal_equations(problem, numbers);
    const double before = objective;
    for (int tries = 0; tries < 8 && objective >= before; ++tries) {
      const Numbers next = stepped(problem, numbers, equations, damping);
      const double reached = problem.objective(next);
      const bool is_better = reached < objective;
      damping = std::clamp(is_better ? damping / 5.0 : damping * 6.0, 1e-7, 1e9);
      if (!is_better) continue;
      objective = reached;
      numbers = next;
    }
    if (before - objective < 1e-6 * before) break;
  }
  return numbers;
}

}  // namespace dfsweep::operators
