/// Random numbers by their place in a stream: any of them alone, with the same bits on any rank and thread.
#pragma once

#include <cstdint>

namespace dfsweep {

/// All arithmetic modulo 2^64 (SplitMix64):
/// mix(z): z = (z ^ z>>30) 0xBF58476D1CE4E5B9; z = (z ^ z>>27) 0x94D049BB133111EB; z ^ z>>31.
/// s = mix(seed + G), G = 0x9E3779B97F4A7C15; number k is mix(s + (k + 1) G).
class CounterRandom {
 public:
  explicit constexpr CounterRandom(std::uint64_t seed) : state_(mix(seed + golden)) {}
  [[nodiscard]] constexpr std::uint64_t at(std::uint64_t k) const { return mix(state_ + (k + 1) * golden); }
  /// In [0, 1), with 53 bits.
  [[nodiscard]] constexpr double uniform(std::uint64_t k) const { return static_cast<double>(at(k) >> 11) * 0x1p-53; }
  /// Draw `j` of a replicate out of `n` items: number 2^32 replicate + j, scaled by its upper half. Pre: n < 2^32.
  [[nodiscard]] constexpr std::uint32_t index(std::uint64_t replicate, std::uint64_t j, std::uint64_t n) const {
    return static_cast<std::uint32_t>(((at((replicate << 32) + j) >> 32) * n) >> 32);
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace dfsweep
