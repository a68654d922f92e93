/// How far the fitted values may be from the truth: covariance at the optimum and 95 % intervals.
#pragma once

#include <span>
#include <vector>

#include "models/calibration/fit.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::calibration {

struct Posterior {
  std::vector<double> standard_deviations;           ///< [unknown]
  std::vector<hyperparameters::Interval> intervals;  ///< [unknown] 95 %
  std::vector<double> covariance;                    ///< [unknown * unknowns + unknown]
  std::vector<double> prediction_deviations;         ///< [row] of ln(predicted), from the unknowns alone; also not seen
  double noise = 0.0;                                ///< standard deviation of a row about prediction and factor
  double fitted_numbers = 0.0;                       ///< that the rows decide, fractions of what the prior holds
  double degrees = 0.0;                              ///< of freedom of `noise`
};

/// In units of spreads, with slopes G of the rows seen by unknowns and factors, weights W, a the mean curvature and b
/// the mean squared influence of the errors (b per degree of freedom, times K^2), the optimum of a linear model is
///
///     z = C (a G' W (G z_true + G_0 z_0) + G' W noise),  C = (a G' W G + 1)^-1
///
/// and its covariance about the truth, averaged over the prior,
///
///     C C + a^2 C B B' C + b C G' W^2 G C,  B = G' W G_0.
///
/// The first term is what the prior draws towards 0, the second what unknowns that stay at 0 (z_0, with slopes G_0)
/// add, the third is noise. It is the Laplace covariance C where the loss scale is that of the noise (a = b) and
/// everything is fitted. Curvature and influence are those of the robust loss. A fit draws rows to where its loss is
/// most curved; K = 1 + (fitted numbers / rows) var(curvature) / a^2 makes up for that. Source: [huber1973]
///
/// Intervals are of Student's distribution with degrees by Satterthwaite: only the third term is estimated from few
/// rows. An unknown that is not fitted has its prior.
/// Arguments as of the fit; `options.slopes`: those to use instead of new ones.
[[nodiscard]] Posterior posterior(const CalibrationProblem& problem, const Fit& fit,
                                  std::span<const double> weights = {}, const FitOptions& options = {});

}  // namespace dfsweep::calibration
