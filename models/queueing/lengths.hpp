/// Lengths of prompts and answers: distributions, their moments, and numbers that depend on seed and request only.
#pragma once

#include <cstdint>

#include "models/statistics/random.hpp"

namespace dfsweep::queueing {

enum class LengthLaw {
  constant,    ///< the mean
  uniform,     ///< even on mean (1 - spread) to mean (1 + spread)
  log_normal,  ///< `spread` is the standard deviation over the mean
  zipf,  ///< density x^-exponent from the smallest to `range` times the smallest length, which follows from the mean
};

/// Lengths are rounded to whole numbers of tokens, at least 1. Pre: mean >= 1; 0 <= spread (<= 1 where uniform);
/// range > 1, exponent >= 0.
struct LengthDistribution {
  LengthLaw law = LengthLaw::constant;
  double mean = 1.0;
  double spread = 0.0;    ///< uniform and log_normal
  double exponent = 1.0;  ///< zipf
  double range = 100.0;   ///< zipf: largest over smallest length
};

/// What the InferenceX client sends for a nominal length: floor(nominal (0.8 + 0.2 u)), u even in [0, 1).
/// Source: docs/models/queueing.md
[[nodiscard]] LengthDistribution shortened_lengths(double nominal);

/// Mean, variance and largest value of a distribution before rounding. The largest log-normal length is taken as that
/// which one of a thousand exceeds.
struct LengthMoments {
  double mean = 1.0;
  double variance = 0.0;
  double largest = 1.0;
};
[[nodiscard]] LengthMoments moments_of(const LengthDistribution& lengths);

/// Draws of one distribution: plain arithmetic on counter-based numbers, the same on every host.
class LengthSampler {
 public:
  explicit LengthSampler(const LengthDistribution& lengths);
  /// Tokens of the draw `k` of `random`.
  [[nodiscard]] std::uint32_t at(const CounterRandom& random, std::uint64_t k) const;

 private:
  LengthLaw law_;
  double low_ = 1.0;    ///< smallest value; of a log-normal length the median
  double width_ = 0.0;  ///< of a uniform length; of a log-normal length the standard deviation of its logarithm
  double power_ = 0.0;  ///< zipf: 1 - exponent
  double reach_ = 0.0;  ///< zipf: range^power - 1, or ln range where power is 0
};

}  // namespace dfsweep::queueing
