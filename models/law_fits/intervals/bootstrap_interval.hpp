/// Bootstrap intervals: percentile, bias-corrected and accelerated (BCa), and studentised.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/intervals/bootstrap.hpp"
#include "models/law_fits/intervals/effect_interval.hpp"

namespace dfsweep::law_fits {

/// The central `confidence` of the replicates without NaN; NaN where no replicate is left.
[[nodiscard]] Interval percentile_interval(std::span<const double> replicates, double confidence);

/// Percentiles shifted by the bias z0 = normal quantile of the share of replicates below `estimate`, and the
/// acceleration a = sum d^3 / (6 (sum d^2)^(3/2)), d: `influence` of each item:
///     alpha' = normal_cdf(z0 + (z0 + z) / (1 - a (z0 + z))).
/// NaN where all replicates are on one side. Source: [bca] section 4.
[[nodiscard]] Interval bca_interval(std::span<const double> replicates, double estimate,
                                    std::span<const double> influence, double confidence);

/// Bootstrap of the prediction of a law at one scale.
struct ResampledPrediction {
  FitMethod method;
  ResampleUnit unit = ResampleUnit::group;
  std::uint64_t seed = 0;
  std::uint64_t replicates = 0;
};
struct BootstrapIntervals {
  Interval percentile;
  Interval bca;
};
/// [target] Intervals of ln values. Pre: as LawBootstrap.
[[nodiscard]] std::array<BootstrapIntervals, 2> bootstrap_intervals(const SelectedRuns& runs,
                                                                    std::span<const std::size_t> groups,
                                                                    const LawForm& form,
                                                                    const ResampledPrediction& resampling,
                                                                    const TrainingScale& scale, double confidence);

/// Intervals from resampled groups with fixed weights: from the value at a scale, and studentised by the standard error
/// of each resample.
struct ScatterIntervals {
  Interval percentile;
  Interval studentised;
};
[[nodiscard]] ScatterIntervals resampled_scatter(const ScatteredOptima& optima, const RandomEffectLaw& law,
                                                 const TrainingScale& scale, double confidence, std::uint64_t seed,
                                                 std::uint64_t replicates);

}  // namespace dfsweep::law_fits
