/// Paired gain: difference of the regrets of two laws on the same groups, with its significance.
#pragma once

#include <cstdint>
#include <span>

#include "models/statistics/distributions.hpp"

namespace dfsweep::law_fits {

/// Differences below this limit are never significant, because regret_nearest measures only noise there.
inline constexpr double least_claimed_gain = 3e-4;

struct PairedGain {
  double groups = 0.0;  ///< number of groups where both have a regret
  double mean = 0.0;    ///< mean of baseline minus candidate
  Interval interval;    ///< of the mean, percentiles over resampled groups
  [[nodiscard]] bool is_claimed() const { return interval.low > 0.0 && mean >= least_claimed_gain; }
};

/// `baseline`, `candidate`: [group] regrets. All NaN where no group has both.
[[nodiscard]] PairedGain paired_gain(std::span<const double> baseline, std::span<const double> candidate,
                                     double confidence, std::uint64_t seed, std::uint64_t replicates);

}  // namespace dfsweep::law_fits
