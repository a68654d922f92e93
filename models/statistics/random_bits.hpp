/// Random bits that depend on a seed and a counter alone, so that every draw can be named.
#pragma once

#include <cstdint>

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

}  // namespace dfsweep
