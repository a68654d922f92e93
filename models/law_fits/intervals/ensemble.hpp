/// Ensemble: moments and percentiles of coefficients and predictions over many fitted laws.
#pragma once

#include <span>
#include <vector>

#include "models/laws/law.hpp"

namespace dfsweep::law_fits {

/// Moments and percentiles of the values without NaN; all NaN where no value is left.
struct ReplicateSummary {
  double count = 0.0;
  double mean = 0.0;
  double sd = 0.0;  ///< standard deviation with count - 1
  double q2_5 = 0.0, q16 = 0.0, median = 0.0, q84 = 0.0, q97_5 = 0.0;
};
[[nodiscard]] ReplicateSummary summarize(std::span<const double> values);
/// Percentile with linear interpolation between order statistics at h = (count - 1) p. Pre: sorted, not empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double p);

/// Predictions of an ensemble of laws at one scale. Percentiles of values and of logarithms differ only by the
/// interpolation between order statistics.
struct EnsemblePrediction {
  ReplicateSummary learning_rate;
  ReplicateSummary batch_tokens;
  ReplicateSummary ln_learning_rate;
  ReplicateSummary ln_batch_tokens;
  LogPoint of_mean_coefficients;
  double correlation = 0.0;  ///< of ln lr and ln B
};
/// Laws with NaN coefficients are left out.
[[nodiscard]] EnsemblePrediction predict_ensemble(std::span<const ScalingLaw> laws, const TrainingScale& scale);

/// The law whose coefficients are the arithmetic means. Laws with NaN coefficients are left out.
[[nodiscard]] ScalingLaw mean_law(std::span<const ScalingLaw> laws);

/// Mode of a Gaussian kernel density (Scott bandwidth sd n^(-1/5)) on 1000 equally spaced points from minimum to
/// maximum. Pre: not empty, no NaN.
[[nodiscard]] double density_mode(std::span<const double> values);

}  // namespace dfsweep::law_fits
