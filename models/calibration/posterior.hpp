/// Posterior: covariance of the unknowns at the optimum, and 95 % intervals.
#pragma once

#include <span>
#include <vector>

#include "models/calibration/fit.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::calibration {

struct Posterior {
  std::vector<double> standard_deviations;    ///< [unknown]
  std::vector<Interval> intervals;            ///< [unknown] 95 %
  std::vector<double> covariance;             ///< [unknown * unknowns + unknown]
  std::vector<double> prediction_deviations;  ///< [row] standard deviation of ln(predicted) from the unknowns only;
                                              ///< also for rows of weight 0
  double noise = 0.0;                         ///< standard deviation of a row around prediction x factor
  double fitted_numbers = 0.0;                ///< effective number of unknowns determined by the rows
  double degrees = 0.0;                       ///< degrees of freedom of `noise`
};

/// In units of spreads, let G be the slopes of the used rows by unknowns and factors, W the weights, a the mean
/// curvature and b the mean squared influence of the errors (per degree of freedom, times K^2). The optimum of a linear
/// model is
///
///     z = C (a G' W (G z_true + G_0 z_0) + G' W noise),  C = (a G' W G + 1)^-1
///
/// and its covariance around the truth, averaged over the prior, is
///
///     C C + a^2 C B B' C + b C G' W^2 G C,  B = G' W G_0.
///
/// The first term is the shrinkage by the prior, the second the contribution of unknowns fixed at 0 (z_0, with slopes
/// G_0), the third is noise. It equals the Laplace covariance C where the loss scale matches the noise (a = b) and
/// everything is fitted. Curvature and influence are those of the robust loss. A fit moves rows towards the maximum
/// curvature of the loss, for which K = 1 + (fitted numbers / rows) var(curvature) / a^2 corrects. Source: [huber1973]
///
/// Intervals use Student's distribution with degrees of freedom by Satterthwaite, because only the third term is
/// estimated from few rows. An unknown that is not fitted has the interval of its prior. Arguments as for fit();
/// `options.slopes`: replaces newly computed slopes.
[[nodiscard]] Posterior posterior(const CalibrationProblem& problem, const Fit& fit,
                                  std::span<const double> weights = {}, const FitOptions& options = {});

}  // namespace dfsweep::calibration
