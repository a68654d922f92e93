#include "models/calibration/posterior.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/calibration/layout.hpp"
#include "models/calibration/predictions.hpp"
#include "models/calibration/robust_loss.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::calibration {

namespace {

/// Means over the used rows with a prediction, with derivatives by the logarithm instead of u.
struct RobustMeans {
  double curvature = 0.0;          ///< a
  double curvature_scatter = 0.0;  ///< variance of curvatures over a^2
  double squared_influence = 0.0;  ///< sum of squares; b is this sum per degree of freedom
  double rows = 0.0;
};

RobustMeans robust_means(const CalibrationProblem& problem, const Layout& layout, const Fit& fit,
                         std::span<const double> predictions) {
  const double c2 = problem.loss_scale * problem.loss_scale;
  RobustMeans means;
  double weights = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    const std::size_t row = layout.rows[i];
    if (!std::isfinite(predictions[row])) continue;
    const double factor = layout.groups.empty() ? 0.0 : fit.factors[problem.groups[row]];
    const RobustError error(fit.log_errors[row] + factor, problem.loss_scale);
    const double weight = layout.weights[static_cast<Eigen::Index>(i)];
    weights += weight;
    means.rows += 1.0;
    means.curvature += weight * error.curvature() / c2;
    squares += weight * (error.curvature() / c2) * (error.curvature() / c2);
    means.squared_influence += error.influence() * error.influence() / c2;
  }
  if (!(weights > 0.0)) return means;
  means.curvature /= weights;
  means.curvature_scatter = squares / weights / (means.curvature * means.curvature) - 1.0;
  return means;
}

/// Unknowns fixed at 0 that have a spread.
std::vector<std::size_t> unknowns_at_prior(const CalibrationProblem& problem, const Layout& layout) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
    if (problem.unknowns[k].spread > 0.0 && !std::binary_search(layout.unknowns.begin(), layout.unknowns.end(), k))
      kept.push_back(k);
  return kept;
}

/// Covariance of the fitted unknowns, then of those at their priors, in units of spreads.
struct ErrorCovariance {
  Eigen::MatrixXd all;
  Eigen::VectorXd noise;  ///< contribution of noise to the diagonal
  double fitted_numbers = 0.0, degrees = 0.0, mean_influence = 0.0;
};

ErrorCovariance error_covariance(const Layout& layout, const Eigen::MatrixXd& slopes, const Eigen::MatrixXd& at_prior,
                                 const RobustMeans& means) {
  const Eigen::Index variables = slopes.cols();
  const auto fitted = static_cast<Eigen::Index>(layout.unknowns.size());
  const Eigen::Index kept = at_prior.cols();
  const Eigen::MatrixXd weighted = layout.weights.asDiagonal() * slopes;
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(variables, variables);
  const Eigen::MatrixXd c = (means.curvature * slopes.transpose() * weighted + identity).llt().solve(identity);

  ErrorCovariance result;
  result.fitted_numbers = static_cast<double>(variables) - c.trace();
  result.degrees = std::max(means.rows - result.fitted_numbers, 1.0);
  const double few_rows =
      means.rows > 0.0 ? 1.0 + result.fitted_numbers / means.rows * means.curvature_scatter : 1.0;  // K
  result.mean_influence = few_rows * few_rows * means.squared_influence / result.degrees;
  const Eigen::MatrixXd noise = result.mean_influence * c * (weighted.transpose() * weighted) * c;
  const Eigen::MatrixXd drawn = means.curvature * c * (weighted.transpose() * at_prior);
  const Eigen::MatrixXd of_fitted = c * c + drawn * drawn.transpose() + noise;

  result.all = Eigen::MatrixXd::Identity(fitted + kept, fitted + kept);
  result.all.topLeftCorner(fitted, fitted) = of_fitted.topLeftCorner(fitted, fitted);
  result.all.topRightCorner(fitted, kept) = -drawn.topRows(fitted);
  result.all.bottomLeftCorner(kept, fitted) = -drawn.topRows(fitted).transpose();
  result.noise = Eigen::VectorXd::Zero(fitted + kept);
  if (fitted > 0) result.noise.head(fitted) = noise.diagonal().head(fitted);  // an empty matrix has no diagonal to copy
  return result;
}

/// Half-width of the 95 % interval in standard deviations, where the part `noise` of `variance` has `degrees` degrees
/// of freedom.
double half_width(double variance, double noise, double degrees) {
  constexpr double as_good_as_normal = 1e6;
  const double share = noise / variance;
  const double effective = share > 0.0 ? degrees / (share * share) : as_good_as_normal;
  return effective < as_good_as_normal ? student_quantile(0.975, effective) : normal_quantile(0.975);
}

}  // namespace

Posterior posterior(const CalibrationProblem& problem, const Fit& fit, std::span<const double> weights,
                    const FitOptions& options) {
  const Layout layout = layout_of(problem, weights, options.fitted);
  const std::vector<double> predictions = log_predictions(problem, fit.values);
  std::vector<double> by_quantity(options.slopes.begin(), options.slopes.end());
  if (by_quantity.empty()) by_quantity = quantity_slopes(problem, fit.values, predictions);
  const std::vector<std::size_t> at_prior = unknowns_at_prior(problem, layout);
  const RobustMeans means = robust_means(problem, layout, fit, predictions);
  const ErrorCovariance found = error_covariance(layout, variable_slopes(problem, layout, by_quantity, predictions),
                                                 unknown_slopes(problem, layout.rows, at_prior, by_quantity), means);

  Posterior result;
  result.fitted_numbers = found.fitted_numbers;
  result.degrees = found.degrees;
  result.noise = means.curvature > 0.0 ? std::sqrt(found.mean_influence) / means.curvature : 0.0;
  const std::size_t count = problem.unknowns.size();
  std::vector<std::size_t> order = layout.unknowns;
  order.insert(order.end(), at_prior.begin(), at_prior.end());
  result.standard_deviations.assign(count, 0.0);
  result.covariance.assign(count * count, 0.0);
  for (std::size_t k = 0; k < count; ++k) result.intervals.push_back({fit.values[k], fit.values[k]});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t k = order[i];
    const auto at = static_cast<Eigen::Index>(i);
    const double spread = problem.unknowns[k].spread;
    for (std::size_t j = 0; j < order.size(); ++j)
      result.covariance[k * count + order[j]] =
          spread * problem.unknowns[order[j]].spread * found.all(at, static_cast<Eigen::Index>(j));
    result.standard_deviations[k] = spread * std::sqrt(found.all(at, at));
    const double reach = result.standard_deviations[k] * half_width(found.all(at, at), found.noise[at], found.degrees);
    result.intervals[k] = {fit.values[k] - reach, fit.values[k] + reach};
  }
  std::vector<std::size_t> rows(problem.observed.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const Eigen::MatrixXd slopes = unknown_slopes(problem, rows, order, by_quantity);
  const Eigen::VectorXd variances = (slopes * found.all).cwiseProduct(slopes).rowwise().sum();
  for (const double variance : variances) result.prediction_deviations.push_back(std::sqrt(std::max(variance, 0.0)));
  return result;
}

}  // namespace dfsweep::calibration
