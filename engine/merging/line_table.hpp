/// LineTable: which line of a table has these codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/hash_step.hpp"

namespace dfsweep {

/// A hash table of numbers of lines, with linear probing and a load of at most 1/2. The lines themselves are the
/// caller's.
class LineTable {
 public:
  /// Returns the line with these codes. If no line has them, adds `new_line` and returns it. `is_line(line)`: whether
  /// an added line has the codes.
  template <class IsLine>
  std::uint64_t find_or_add(std::span<const std::uint32_t> codes, std::uint64_t new_line, const IsLine& is_line) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_of(codes);
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].line != free) {
      if (slots_[place].hash == hash && is_line(slots_[place].line)) return slots_[place].line;
      place = (place + 1) & (slots_.size() - 1);
    }
    slots_[place] = {hash, new_line};
    ++used_;
    return new_line;
  }

 private:
  static constexpr std::uint64_t free = ~std::uint64_t{0};
  static constexpr std::size_t least_slots = 64;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t line = free;
  };

  static std::uint64_t hash_of(std::span<const std::uint32_t> codes) {
    std::uint64_t hash = 0;
    for (const std::uint32_t code : codes) hash = hash_step(hash, code);
    return hash;
  }

  void grow() {
    std::vector<Slot> former = std::move(slots_);
    slots_.assign(former.empty() ? least_slots : 2 * former.size(), Slot{});
    for (const Slot& one : former) {
      if (one.line == free) continue;
      std::size_t place = one.hash & (slots_.size() - 1);
      while (slots_[place].line != free) place = (place + 1) & (slots_.size() - 1);
      slots_[place] = one;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace dfsweep
