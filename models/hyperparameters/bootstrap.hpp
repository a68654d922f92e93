/// Bootstrap of fitted laws with a counter-based generator: any replicate alone, with the same bits on any rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/hyperparameters/fit.hpp"

namespace dfsweep {

/// Numbers by their place in a stream, all arithmetic modulo 2^64 (SplitMix64):
/// mix(z): z = (z ^ z>>30) 0xBF58476D1CE4E5B9; z = (z ^ z>>27) 0x94D049BB133111EB; z ^ z>>31.
/// s = mix(seed + G), G = 0x9E3779B97F4A7C15; number k is mix(s + (k + 1) G).
class CounterRandom {
 public:
  explicit constexpr CounterRandom(std::uint64_t seed) : state_(mix(seed + golden)) {}
  [[nodiscard]] constexpr std::uint64_t at(std::uint64_t k) const { return mix(state_ + (k + 1) * golden); }
  /// In [0, 1), with 53 bits.
  [[nodiscard]] constexpr double uniform(std::uint64_t k) const { return static_cast<double>(at(k) >> 11) * 0x1p-53; }
  /// Draw `j` of a replicate out of `n` items: number 2^32 replicate + j, scaled by its upper half. Pre: n < 2^32.
  [[nodiscard]] constexpr std::uint32_t index(std::uint64_t replicate, std::uint64_t j, std::uint64_t n) const {
    return static_cast<std::uint32_t>(((at((replicate << 32) + j) >> 32) * n) >> 32);
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

enum class ResampleUnit : std::uint8_t {
  row,   ///< kept runs in file order, as many draws; kept_rows only
  group  ///< groups that take part in the fit, in group order, as many draws; a drawn group enters with all its runs
};

/// Replicates of a fit. Where coefficients of a replicate cannot be solved for, all of them are NaN.
class LawBootstrap {
 public:
  /// Pre: unit row goes with kept_rows only and needs runs.kept_below >= method.window. robust_surface: not offered.
  LawBootstrap(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
               const FitMethod& method, ResampleUnit unit, std::uint64_t seed);

  /// Coefficients of a replicate: intercept and features of the learning rate, then of the batch.
  [[nodiscard]] std::size_t width() const;
  /// Items that are drawn from; as many are drawn.
  [[nodiscard]] std::size_t items() const;
  /// Fills [replicate from `first`][coefficient]. Thread-safe; a replicate has the same bits whatever the range.
  void run(std::uint64_t first, std::span<double> coefficients) const;
  /// The law of one replicate's coefficients.
  [[nodiscard]] ScalingLaw law(std::span<const double> coefficients) const;

 private:
  LawForm form_;
  FitMethod method_;
  CounterRandom random_;
  std::vector<double> sums_;  ///< [item][sum] normal equations about the means
};

/// Moments and percentiles of replicates that are not NaN.
struct ReplicateSummary {
  double count = 0.0;
  double mean = 0.0;
  double sd = 0.0;  ///< with count - 1
  double q2_5 = 0.0, q16 = 0.0, median = 0.0, q84 = 0.0, q97_5 = 0.0;
};
[[nodiscard]] ReplicateSummary summarize(std::span<const double> values);
/// Linear between order statistics at h = (count - 1) p. Pre: sorted, not empty.
[[nodiscard]] double percentile(std::span<const double> sorted, double p);

/// Predictions of an ensemble of laws at one scale.
struct EnsemblePrediction {
  ReplicateSummary ln_learning_rate;
  ReplicateSummary ln_batch_tokens;
  LogPoint of_mean_coefficients;
  double correlation = 0.0;  ///< of ln lr and ln B
};
[[nodiscard]] EnsemblePrediction predict_ensemble(std::span<const ScalingLaw> laws, const TrainingScale& scale);

/// Maximum of a Gaussian kernel density (bandwidth of Scott: sd n^(-1/5)) on 1000 equally spaced points from the least
/// to the greatest value.
[[nodiscard]] double density_mode(std::span<const double> values);

}  // namespace dfsweep
