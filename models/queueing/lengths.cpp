#include "models/queueing/lengths.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"
#include "models/queueing/portable_math.hpp"

namespace dfsweep::queueing {

namespace {

double power_of(double x, double power) {
  return portable_exp(power * portable_log(x));
}

/// Integral of x^(power - 1) over [1, range]: (range^power - 1) / power, or its limit ln range.
double integral(double range, double power) {
  return std::abs(power) < 1e-9 ? portable_log(range) : (power_of(range, power) - 1.0) / power;
}

/// Smallest length of a Zipf distribution with this mean.
///
///     mean = smallest * integral(2 - exponent) / integral(1 - exponent)
double smallest_zipf(const LengthDistribution& lengths) {
  const double power = 1.0 - lengths.exponent;
  return lengths.mean * integral(lengths.range, power) / integral(lengths.range, power + 1.0);
}

/// Variance of the logarithm of a log-normal length.
double log_variance(const LengthDistribution& lengths) {
  return portable_log(1.0 + lengths.spread * lengths.spread);
}

/// Normal quantile of 0.999.
constexpr double normal_of_largest = 3.090232306167813;

}  // namespace

LengthDistribution shortened_lengths(double nominal) {
  // Rounding adds the half token that the floor takes away.
  const double mean = std::max(1.0, 0.9 * nominal - 0.5);
  return {.law = LengthLaw::uniform, .mean = mean, .spread = std::min(1.0, 0.1 * nominal / mean)};
}

LengthMoments moments_of(const LengthDistribution& lengths) {
  const double mean = lengths.mean;
  switch (lengths.law) {
    case LengthLaw::constant:
      return {mean, 0.0, mean};
    case LengthLaw::uniform: {
      const double half = mean * lengths.spread;
      return {mean, half * half / 3.0, mean + half};
    }
    case LengthLaw::log_normal: {
      const double v = log_variance(lengths);
      const double deviation = mean * lengths.spread;
      return {mean, deviation * deviation, mean * portable_exp(normal_of_largest * std::sqrt(v) - 0.5 * v)};
    }
    case LengthLaw::zipf: {
      const double power = 1.0 - lengths.exponent;
      const double low = smallest_zipf(lengths);
      const double second = low * low * integral(lengths.range, power + 2.0) / integral(lengths.range, power);
      return {mean, second - mean * mean, low * lengths.range};
    }
  }
  broken_promise("a law of lengths", __FILE__, __LINE__);
}

LengthSampler::LengthSampler(const LengthDistribution& lengths) : law_(lengths.law), low_(lengths.mean) {
  DFSWEEP_EXPECT(lengths.mean >= 1.0 && lengths.spread >= 0.0);
  if (law_ == LengthLaw::uniform) {
    low_ = lengths.mean * (1.0 - lengths.spread);
    width_ = 2.0 * lengths.mean * lengths.spread;
  } else if (law_ == LengthLaw::log_normal) {
    const double v = log_variance(lengths);
    low_ = lengths.mean * portable_exp(-0.5 * v);
    width_ = std::sqrt(v);
  } else if (law_ == LengthLaw::zipf) {
    low_ = smallest_zipf(lengths);
    power_ = std::abs(1.0 - lengths.exponent) < 1e-9 ? 0.0 : 1.0 - lengths.exponent;
    reach_ = power_ == 0.0 ? portable_log(lengths.range) : power_of(lengths.range, power_) - 1.0;
  }
}

std::uint32_t LengthSampler::at(const CounterRandom& random, std::uint64_t k) const {
  double length = low_;
  if (law_ == LengthLaw::uniform) {
    length = low_ + width_ * random.uniform(k);
  } else if (law_ == LengthLaw::log_normal) {
    // The midpoint of one of 2^52 equal parts of (0, 1).
    const double p = (static_cast<double>(random.at(k) >> 12) + 0.5) * 0x1p-52;
    length = low_ * portable_exp(width_ * portable_normal_quantile(p));
  } else if (law_ == LengthLaw::zipf) {
    const double u = random.uniform(k);
    length = low_ * (power_ == 0.0 ? portable_exp(u * reach_) : power_of(1.0 + u * reach_, 1.0 / power_));
  }
  return static_cast<std::uint32_t>(std::clamp(std::floor(length + 0.5), 1.0, 4294967295.0));
}

}  // namespace dfsweep::queueing
