#include "models/measured_tables/predictors/tile_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr double half_token = 0.5;

/// Elimination of a tridiagonal system from one end: the estimate of each key from the keys on one side.
struct OneSided {
  std::vector<double> precision;  ///< [key] precision of its level given the previous keys; 0 for the first
  std::vector<double> level;      ///< [key] level expected from the previous keys
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
  constexpr double least = 1e-9;  // keeps the system regular; far below any measurement noise
  std::vector<double> noise;
  noise.reserve(keys.size());
  for (const WalkKey& key : keys) {
    const double microseconds = std::max(key.seconds * 1e6, 0.1);  // resolution of kernel timers
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

constexpr double gain_of_variance = 0.99;
constexpr double gain_of_wave = 0.9;
constexpr double gain_of_jumps = 0.9;

/// Search state: the best variances so far and their error.
class WalkSearch {
 public:
  explicit WalkSearch(std::span<const WalkKey> keys) : keys_(keys), error_(left_out_error(keys, best_)) {}
  [[nodiscard]] const WalkVariances& best() const { return best_; }
  [[nodiscard]] double error() const { return error_; }

  /// Line search over the values of one variance.
  template <class Member>
  void improve(Member member) {
    for (const double candidate : {0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0}) {
      WalkVariances tried = best_;
      member(tried) = candidate;
      const double error = left_out_error(keys_, tried);
      if (error >= gain_of_variance * error_) continue;
      error_ = error;
      best_ = tried;
    }
  }
  void improve_noise() {
    improve([](WalkVariances& variances) -> double& { return variances.noise; });
    improve([](WalkVariances& variances) -> double& { return variances.rounding; });
  }
  /// Tries wave sizes from well below the multiprocessors of small devices to well above those of large devices.
  void improve_wave() {
    WalkVariances kept = best_;
    double least = gain_of_wave * error_;
    for (double size = 40.0; size <= 160.0; size += 1.0) {
      WalkVariances tried = best_;
      tried.wave = 10.0;
      tried.wave_size = size;
      const double error = left_out_error(keys_, tried);
      if (error >= least) continue;
      least = error;
      kept = tried;
    }
    if (kept.wave == 0.0) return;
    best_ = kept;
    error_ = least;
    improve([](WalkVariances& variances) -> double& { return variances.wave; });
  }

 private:
  std::span<const WalkKey> keys_;
  WalkVariances best_;
  double error_;
};

}  // namespace

double walk_variance(const WalkVariances& variances, double p, double q) {
  double variance = std::log2(std::max(q, half_token) / std::max(p, half_token)) + 1e-6;
  for (std::size_t m = 0; m < variances.tile.size(); ++m) {
    const double size = WalkVariances::tile_sizes[m];
    if (std::ceil(p / size) != std::ceil(q / size)) variance += variances.tile[m];
  }
  const double size = variances.wave_size;
  if (std::ceil(p / size) != std::ceil(q / size)) variance += variances.wave;
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
  WalkSearch search(keys);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t m = 0; m < WalkVariances::tile_sizes.size(); ++m)
      search.improve([m](WalkVariances& variances) -> double& { return variances.tile[m]; });
    search.improve_noise();
    if (round == 0) search.improve_wave();
  }
  if (search.error() <= gain_of_jumps * WalkSearch(keys).error()) return search.best();
  WalkSearch without_jumps(keys);
  without_jumps.improve_noise();
  return without_jumps.best();
}

double level_between(const WalkVariances& variances, double p, double level_p, double q, double level_q,
                     double tokens) {
  const double from_p = walk_variance(variances, p, tokens);
  const double to_q = walk_variance(variances, tokens, q);
  return level_p + (level_q - level_p) * from_p / (from_p + to_q);
}

}  // namespace dfsweep
