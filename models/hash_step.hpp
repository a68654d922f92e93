/// One step of a hash over 64-bit words, for hash tables in memory only: values are never written to files.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace dfsweep {

/// Mixes one word into `hash`: the multiplication by 2^64 / golden ratio spreads bits upwards, the shift downwards.
[[nodiscard]] constexpr std::uint64_t hash_step(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 29;
}

/// Mixes the bit patterns of numbers into `hash`, so that 0 and -0 differ.
[[nodiscard]] constexpr std::uint64_t hash_step(std::uint64_t hash, std::initializer_list<double> numbers) {
  for (const double number : numbers) hash = hash_step(hash, std::bit_cast<std::uint64_t>(number));
  return hash;
}

}  // namespace dfsweep
