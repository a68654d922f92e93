/// Counter-based random numbers: they depend on seed and counter only, so all ranks and threads get the same bits.
#pragma once

#include <cstdint>

#include "models/statistics/distributions.hpp"

namespace dfsweep {

/// The `counter`-th output of the generator SplitMix64 started at `seed`. Source: [splitmix]
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed + (counter + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A whole number below `bound`, from the upper 32 bits. Pre: 0 < bound <= 2^32.
constexpr std::uint64_t random_below(std::uint64_t bits, std::uint64_t bound) {
  return ((bits >> 32) * bound) >> 32;
}

/// SplitMix64, started at its first output for the seed, so that neighbouring seeds have distant streams. Source:
/// [splitmix]
class CounterRandom {
 public:
  explicit constexpr CounterRandom(std::uint64_t seed) : state_(random_bits(seed, 0)) {}
  [[nodiscard]] constexpr std::uint64_t at(std::uint64_t k) const { return random_bits(state_, k); }
  /// Uniform in [0, 1), with 53 bits.
  [[nodiscard]] constexpr double uniform(std::uint64_t k) const { return static_cast<double>(at(k) >> 11) * 0x1p-53; }
  /// Index of draw `j` in a replicate among `n` items: random number 2^32 replicate + j, its upper half scaled to `n`.
  /// Pre: n < 2^32.
  [[nodiscard]] constexpr std::uint32_t index(std::uint64_t replicate, std::uint64_t j, std::uint64_t n) const {
    return static_cast<std::uint32_t>(random_below(at((replicate << 32) + j), n));
  }

 private:
  std::uint64_t state_;
};

/// A standard normal number: the quantile at the midpoint of one of 2^52 equal parts of (0, 1).
[[nodiscard]] inline double normal_draw(const CounterRandom& random, std::uint64_t k) {
  return normal_quantile((static_cast<double>(random.at(k) >> 12) + 0.5) * 0x1p-52);
}

}  // namespace dfsweep
