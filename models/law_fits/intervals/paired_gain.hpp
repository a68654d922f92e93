/// What one law costs less than another on the same groups, and whether the groups suffice to say so.
#pragma once

#include <cstdint>
#include <span>

#include "models/statistics/distributions.hpp"

namespace dfsweep::hyperparameters {

/// Differences below this are not claimed, whatever their interval: the count of nearest runs measures noise there.
inline constexpr double least_claimed_gain = 3e-4;

struct PairedGain {
  double groups = 0.0;  ///< where both have a regret
  double mean = 0.0;    ///< of baseline minus candidate
  Interval interval;    ///< of that mean, percentiles over resampled groups
  [[nodiscard]] bool is_claimed() const { return interval.low > 0.0 && mean >= least_claimed_gain; }
};

/// `baseline`, `candidate`: [group] regrets. NaN throughout where no group has both.
[[nodiscard]] PairedGain paired_gain(std::span<const double> baseline, std::span<const double> candidate,
                                     double confidence, std::uint64_t seed, std::uint64_t replicates);

}  // namespace dfsweep::hyperparameters
