/// Random numbers by their place in a stream: any of them alone, with the same bits on any rank and thread.
#pragma once

#include <cstdint>

#include "models/statistics/random_bits.hpp"

namespace dfsweep::hyperparameters {

/// Numbers of SplitMix64, started at its own first output for the seed, so that seeds next to each other have streams
/// far apart. Source: [splitmix]
class CounterRandom {
 public:
  explicit constexpr CounterRandom(std::uint64_t seed) : state_(random_bits(seed, 0)) {}
  [[nodiscard]] constexpr std::uint64_t at(std::uint64_t k) const { return random_bits(state_, k); }
  /// In [0, 1), with 53 bits.
  [[nodiscard]] constexpr double uniform(std::uint64_t k) const { return static_cast<double>(at(k) >> 11) * 0x1p-53; }
  /// Draw `j` of a replicate out of `n` items: number 2^32 replicate + j, scaled by its upper half. Pre: n < 2^32.
  [[nodiscard]] constexpr std::uint32_t index(std::uint64_t replicate, std::uint64_t j, std::uint64_t n) const {
    return static_cast<std::uint32_t>(random_below(at((replicate << 32) + j), n));
  }

 private:
  std::uint64_t state_;
};

}  // namespace dfsweep::hyperparameters
