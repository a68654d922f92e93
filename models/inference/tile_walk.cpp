#include "models/inference/tile_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr double half_token = 0.5;

/// Gauss's elimination of a tridiagonal system from one end: what the keys on one side say about each key.
struct OneSided {
  std::vector<double> precision;  ///< [key] of its level as seen from the keys before it; 0 for the first
  std::vector<double> level;      ///< [key] expected from them
};

/// `next`: the key after k in the direction of the sweep; `step`: variance between both.
template <class KeyAt, class StepAfter, class NoiseAt>
OneSided sweep(std::size_t count, KeyAt key_at, StepAfter step_after, NoiseAt noise_at) {
  OneSided side{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const double measured = 1.0 / noise_at(k);
    const double precision = side.precision[k] + measured;
    const double level = (side.precision[k] * side.level[k] + measured * key_at(k)) / precision;
    side.level[k + 1] = level;
    side.precision[k + 1] = 1.0 / (1.0 / precision + step_after(k));
  }
  return side;
}

std::vector<double> noises(std::span<const WalkKey> keys, const WalkVariances& variances) {
  constexpr double least = 1e-9;  // keeps the system regular; far below any measurement
  std::vector<double> noise;
  noise.reserve(keys.size());
  for (const WalkKey& key : keys) {
    const double microseconds = std::max(key.seconds * 1e6, 0.1);  // no timer resolves less
    noise.push_back((variances.noise + variances.rounding / (microseconds * microseconds)) / key.repeats + least);
  }
  return noise;
}

double left_out_error(std::span<const WalkKey> keys, const WalkVariances& variances) {
  const WalkLevels levels = walk_levels(keys, variances);
  double sum = 0.0;
  for (std::size_t k = 0; k < keys.size(); ++k)
    sum += keys[k].repeats * std::abs(std::exp(levels.left_out[k] - keys[k].level) - 1.0);
  return sum;
}

}  // namespace

double walk_variance(const WalkVariances& variances, double p, double q) {
  double variance = std::log2(std::max(q, half_token) / std::max(p, half_token)) + 1e-6;
  for (std::size_t m = 0; m < variances.tile.size(); ++m) {
    const double size = WalkVariances::tile_sizes[m];
    if (std::ceil(p / size) != std::ceil(q / size)) variance += variances.tile[m];
  }
  return variance;
}

WalkLevels walk_levels(std::span<const WalkKey> keys, const WalkVariances& variances) {
  DFSWEEP_EXPECT(keys.size() >= 2);
  const std::size_t count = keys.size();
  const std::vector<double> noise = noises(keys, variances);
  std::vector<double> steps(count - 1);
  for (std::size_t k = 0; k + 1 < count; ++k) steps[k] = walk_variance(variances, keys[k].tokens, keys[k + 1].tokens);

  const OneSided before = sweep(
      count, [&](std::size_t k) { return keys[k].level; }, [&](std::size_t k) { return steps[k]; },
      [&](std::size_t k) { return noise[k]; });
  const OneSided after = sweep(
      count, [&](std::size_t k) { return keys[count - 1 - k].level; },
      [&](std::size_t k) { return steps[count - 2 - k]; }, [&](std::size_t k) { return noise[count - 1 - k]; });

  WalkLevels levels{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t r = count - 1 - k;
    const double others = before.precision[k] + after.precision[r];
    const double expected = (before.precision[k] * before.level[k] + after.precision[r] * after.level[r]) / others;
    const double measured = 1.0 / noise[k];
    levels.left_out[k] = expected;
    levels.smoothed[k] = (others * expected + measured * keys[k].level) / (others + measured);
  }
  return levels;
}

WalkVariances fit_walk(std::span<const WalkKey> keys) {
  constexpr double candidates[] = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};
  WalkVariances best;
  double least = left_out_error(keys, best);
  const auto improve = [&](double& variance) {
    double kept = variance;
    for (const double candidate : candidates) {
      variance = candidate;
      const double error = left_out_error(keys, best);
      if (error < 0.997 * least) {
        least = error;
        kept = candidate;
      }
    }
    variance = kept;
  };
  for (int round = 0; round < 2; ++round) {
    for (double& variance : best.tile) improve(variance);
    improve(best.noise);
    improve(best.rounding);
  }
  return best;
}

double level_between(const WalkVariances& variances, double p, double level_p, double q, double level_q,
                     double tokens) {
  const double from_p = walk_variance(variances, p, tokens);
  const double to_q = walk_variance(variances, tokens, q);
  return level_p + (level_q - level_p) * from_p / (from_p + to_q);
}

}  // namespace dfsweep
