#include "models/measured_tables/predictors/trend.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

namespace dfsweep {

namespace {

using Matrix = Eigen::Matrix<double, trend_terms, trend_terms>;
using Vector = Eigen::Matrix<double, trend_terms, 1>;

/// Solution of the normal equations for the terms in `subset`; other coefficients are 0.
Vector solve_subset(const Matrix& gram, const Vector& right, unsigned subset) {
  std::vector<Eigen::Index> used;
  for (Eigen::Index term = 0; term < gram.rows(); ++term)
    if ((subset >> term & 1u) != 0) used.push_back(term);
  const Eigen::MatrixXd part = gram(used, used);
  const Eigen::VectorXd solution = part.ldlt().solve(right(used));
  Vector coefficients = Vector::Zero();
  for (std::size_t i = 0; i < used.size(); ++i) coefficients(used[i]) = solution(static_cast<Eigen::Index>(i));
  return coefficients;
}

}  // namespace

TrendTerms fit_trend(std::span<const TrendPoint> points) {
  Matrix gram = Matrix::Zero();
  Vector right = Vector::Zero();
  for (const TrendPoint& point : points) {
    if (!(point.seconds > 0.0)) continue;
    const Vector relative = Eigen::Map<const Vector>(point.terms.data()) / point.seconds;
    gram += relative * relative.transpose();
    right += relative;
  }
  // Scale to unit diagonal, because terms differ by many orders of magnitude.
  Vector scale;
  for (Eigen::Index term = 0; term < gram.rows(); ++term)
    scale(term) = gram(term, term) > 0.0 ? 1.0 / std::sqrt(gram(term, term)) : 0.0;
  const Matrix unit_gram = scale.asDiagonal() * gram * scale.asDiagonal();
  const Vector unit_right = scale.asDiagonal() * right;

  Vector best = Vector::Zero();
  double least = 0.0;  // minimum of c . G c - 2 c . r, the sum of squares up to a constant
  for (unsigned subset = 1; subset < 1u << trend_terms; ++subset) {
    const Vector coefficients = solve_subset(unit_gram, unit_right, subset);
    if (!coefficients.allFinite() || coefficients.minCoeff() < 0.0) continue;
    const double error = coefficients.dot(unit_gram * coefficients) - 2.0 * coefficients.dot(unit_right);
    if (error < least) {
      least = error;
      best = coefficients;
    }
  }
  const Vector scaled = scale.asDiagonal() * best;
  TrendTerms coefficients{};
  for (std::size_t term = 0; term < trend_terms; ++term) coefficients[term] = scaled(static_cast<Eigen::Index>(term));
  return coefficients;
}

}  // namespace dfsweep
