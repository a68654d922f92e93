/// What the seed of a run does to its loss: the variance within settings that were run several times.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/absent.hpp"
#include "models/law_fits/runs/runs.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::law_fits {

/// Runs that differ in nothing but the seed. Fits take them for one run with their median loss.
struct SeedRepeats {
  std::size_t run = 0;         ///< index into TrainingRuns
  std::vector<double> losses;  ///< two or more
};

/// Runs of a setting whose loss exceeds its least by more than this share have diverged.
inline constexpr double diverged_seed_rel = 0.2;

/// Sums over settings with two or more runs.
struct SeedSums {
  std::size_t settings = 0;
  std::size_t runs = 0;      ///< of these settings, without those that diverged
  std::size_t diverged = 0;  ///< of all settings
  double squares = 0.0;      ///< over runs of (ln L - mean ln L of its setting)^2
};

/// The standard deviation of ln L between seeds, pooled over settings.
struct SeedNoise {
  std::size_t settings = 0;           ///< with two or more runs that did not diverge
  std::size_t runs = 0;               ///< of these settings, without those that diverged
  std::size_t diverged = 0;           ///< of all settings
  double degrees = 0.0;               ///< degrees of freedom: runs - settings
  double sd = absent;                 ///< sqrt(sum over runs of (ln L - mean ln L of its setting)^2 / degrees)
  Interval interval{absent, absent};  ///< of sd, by the chi-square distribution
};

/// NaN where there is no setting. Pre: 0 < confidence < 1.
[[nodiscard]] SeedNoise seed_noise(const SeedSums& sums, double confidence);
/// NaN where no setting has two runs that did not diverge. Pre: 0 < confidence < 1, losses are positive.
[[nodiscard]] SeedNoise pooled_seed_noise(std::span<const SeedRepeats> settings, double confidence);

/// Variance of the median of `runs` independent normal values over the variance of one. Exact to five digits up to ten
/// runs, within 1 % beyond. Pre: runs > 0.
[[nodiscard]] double median_variance(std::size_t runs);

/// Mean of median_variance over the settings of `groups` with rel < window: what is left of the variance between seeds
/// in the losses that fits use. `settings`: those with several runs; all others have one. NaN without such a setting.
[[nodiscard]] double mean_median_variance(const GroupedRuns& runs, std::span<const SeedRepeats> settings,
                                          std::span<const std::size_t> groups, double window);

}  // namespace dfsweep::law_fits
