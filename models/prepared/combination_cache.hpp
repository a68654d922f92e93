/// CombinationCache: recent results of one thread that depend on some parameters alone, by the number of their
/// combination.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dfsweep {

/// Each combination has one place; a later one with the same place replaces it. So any number of combinations can be
/// walked over in constant memory, and what a walk repeats soon is computed once.
template <class Value>
class CombinationCache {
 public:
  /// `combinations`: how many there are; `most`: how many are kept at most, a power of 2 above 1.
  CombinationCache(std::uint64_t combinations, std::uint64_t most)
      : slots_(std::bit_ceil(std::min(combinations, most))),
        has_place_for_all_(combinations <= most),
        shift_(std::countl_zero(std::uint64_t{slots_.size() - 1})) {}

  /// The value of combination `number`, which is below `combinations`, good until the next call; `compute()` returns
  /// it.
  template <class Compute>
  const Value& at(std::uint64_t number, Compute compute) {
    Slot& slot = slots_[place(number)];
    if (slot.number == number) return slot.value;
    slot.number = empty;  // an exception leaves no value
    slot.value = compute();
    slot.number = number;
    return slot.value;
  }

 private:
  static constexpr std::uint64_t empty = std::numeric_limits<std::uint64_t>::max();
  struct Slot {
    std::uint64_t number = empty;
    Value value{};
  };
  /// Where there are too many, the upper bits of a product with 2^64 over the golden ratio: neighbours in any one digit
  /// have different places.
  [[nodiscard]] std::size_t place(std::uint64_t number) const {
    return has_place_for_all_ ? number : (number * 0x9E3779B97F4A7C15U) >> shift_;
  }

  std::vector<Slot> slots_;
  bool has_place_for_all_;
  int shift_;
};

}  // namespace dfsweep
