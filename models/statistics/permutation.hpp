/// KeyedPermutation: a permutation of 0, 1, ..., count - 1 that is computed element by element, without a table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "models/statistics/random.hpp"

namespace dfsweep {

/// A Feistel network over the next power of two; values from `count` on are permuted again until they are below it
/// (cycle walking). The key chooses the permutation. Source: [black-rogaway]
class KeyedPermutation {
 public:
  /// Pre: count > 0.
  constexpr KeyedPermutation(std::uint64_t count, std::uint64_t key) : count_(count), key_(key) {
    const int bits = std::max(2, static_cast<int>(std::bit_width(count - 1)));
    low_bits_ = bits / 2;
    low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
    high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;
  }

  /// Pre: i < count.
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t i) const {
    do i = permuted(i);
    while (i >= count_);
    return i;
  }

 private:
  static constexpr std::uint64_t double_rounds = 3;

  [[nodiscard]] constexpr std::uint64_t permuted(std::uint64_t i) const {
    std::uint64_t low = i & low_mask_;
    std::uint64_t high = i >> low_bits_;
    for (std::uint64_t round = 0; round < double_rounds; ++round) {
      high ^= random_bits(key_ + 2 * round, low) & high_mask_;
      low ^= random_bits(key_ + 2 * round + 1, high) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  std::uint64_t count_;
  std::uint64_t key_;
  int low_bits_ = 1;
  std::uint64_t low_mask_ = 1;
  std::uint64_t high_mask_ = 1;
};

}  // namespace dfsweep
