/// One step of a hash over words of 64 bits, for tables that are looked up in memory and written nowhere.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace dfsweep {

/// `hash` with one more word in it: a multiple of 2^64 over the golden ratio spreads bits upwards, the shift downwards.
[[nodiscard]] constexpr std::uint64_t hash_step(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 29;
}

/// The same with the bits of numbers, so that 0 and -0 differ.
[[nodiscard]] constexpr std::uint64_t hash_step(std::uint64_t hash, std::initializer_list<double> numbers) {
  for (const double number : numbers) hash = hash_step(hash, std::bit_cast<std::uint64_t>(number));
  return hash;
}

}  // namespace dfsweep
