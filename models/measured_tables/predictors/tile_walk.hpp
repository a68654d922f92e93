/// TileWalk: log time as a random walk over tokens whose steps are larger where another tile begins.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace dfsweep::inference {

/// A measured key: repeats are already averaged.
struct WalkKey {
  double tokens = 0.0;  ///< ascending and distinct over the keys of a table
  double level = 0.0;   ///< log of the time
  double repeats = 1.0;
  double seconds = 0.0;  ///< mean time of the repeats
};

/// Variances of the walk, relative to that of a doubling of the tokens.
///
///     V(p, q) = log2(q / p) + sum over m of tile[m] [ceil(p / m) != ceil(q / m)]
///                           + wave [ceil(p / w) != ceil(q / w)]
///
/// Matrix kernels cost whole tiles of tokens, so time hardly changes within a tile and jumps between tiles; the sizes m
/// of tiles are powers of two. Kernels that give every token a block jump where the device needs another wave of
/// blocks, after w tokens, a multiple of its multiprocessors. Which of these a kernel does shows in its table alone.
struct WalkVariances {
  static constexpr std::array<double, 7> tile_sizes = {8, 16, 32, 64, 128, 256, 512};
  std::array<double, 7> tile{};  ///< of a jump where a tile of that size begins
  double wave = 0.0;             ///< of a jump where a wave begins
  double wave_size = 1.0;        ///< w
  double noise = 0.0;            ///< of one measurement
  double rounding = 0.0;         ///< of one measurement of one microsecond; falls as 1 / seconds^2
};

/// V(p, q) for p < q. Pre: p >= 0; below half a token the walk stands still.
double walk_variance(const WalkVariances& variances, double p, double q);

/// The expected level at every key given all keys (`smoothed`), and given all keys but itself (`left_out`).
struct WalkLevels {
  std::vector<double> smoothed;
  std::vector<double> left_out;
};

/// Pre: at least two keys.
WalkLevels walk_levels(std::span<const WalkKey> keys, const WalkVariances& variances);

/// The variances among a fixed set of values with the least mean |exp(left out - level) - 1| over the keys, found by
/// changing one after the other. So many choices would fit noise: each has to lower the error by a hundredth, a wave by
/// a tenth because its size is one of many, and all of them by a tenth, or else there are no jumps.
WalkVariances fit_walk(std::span<const WalkKey> keys);

/// Expected level between two neighbouring keys, at p < tokens < q.
double level_between(const WalkVariances& variances, double p, double level_p, double q, double level_q, double tokens);

}  // namespace dfsweep::inference
