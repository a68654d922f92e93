/// TileWalk: log time as a random walk over tokens with larger steps at tile boundaries.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace dfsweep {

/// A measured key with averaged repetitions.
struct WalkKey {
  double tokens = 0.0;  ///< ascending and distinct over the keys of a table
  double level = 0.0;   ///< log of the time
  double repeats = 1.0;
  double seconds = 0.0;  ///< mean time of the repetitions
};

/// Variances of the walk, relative to that of a doubling of the tokens.
///
///     V(p, q) = log2(q / p) + sum over m of tile[m] [ceil(p / m) != ceil(q / m)]
///                           + wave [ceil(p / w) != ceil(q / w)]
///
/// Matrix kernels process whole tiles of tokens, so time hardly changes within a tile and jumps between tiles; tile
/// sizes m are powers of two. Kernels with one block per token jump where the device needs another wave of blocks,
/// after w tokens, a multiple of its multiprocessors. The behaviour of a kernel is inferred from its table.
struct WalkVariances {
  static constexpr std::array<double, 7> tile_sizes = {8, 16, 32, 64, 128, 256, 512};
  std::array<double, 7> tile{};  ///< variance of the jump at the start of a tile of this size
  double wave = 0.0;             ///< variance of the jump at the start of a wave
  double wave_size = 1.0;        ///< w
  double noise = 0.0;            ///< variance of one measurement
  double rounding = 0.0;         ///< variance of one measurement of 1 us; falls as 1 / seconds^2
};

/// V(p, q) for p < q. Pre: p >= 0; the walk is constant below half a token.
double walk_variance(const WalkVariances& variances, double p, double q);

/// The expected level at every key given all keys (`smoothed`), and given all keys but itself (`left_out`).
struct WalkLevels {
  std::vector<double> smoothed;
  std::vector<double> left_out;
};

/// Pre: at least two keys.
WalkLevels walk_levels(std::span<const WalkKey> keys, const WalkVariances& variances);

/// The variances from a fixed set of values with the least leave-one-out error, mean |exp(left out - level) - 1| over
/// the keys, by coordinate descent. To avoid overfitting, each change must reduce the error by 1 %, a wave by 10 %
/// because its size is one of many, and all together by 10 %; otherwise there are no jumps.
WalkVariances fit_walk(std::span<const WalkKey> keys);

/// Interpolated level between two neighbouring keys, at p < tokens < q.
double level_between(const WalkVariances& variances, double p, double level_p, double q, double level_q, double tokens);

}  // namespace dfsweep
