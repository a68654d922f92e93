/// Damage of several bytes of a file, by number.
#pragma once

#include <algorithm>

#include "tests/faults/small_runs.hpp"
#include "tests/fuzz/mutator.hpp"

namespace dfsweep {

/// Damage of several bytes, number `n` always the same: overwritten, zeroed, exchanged, cut or added.
inline FileBytes damaged(const FileBytes& sound, std::uint64_t n) {
  CounterGenerator random(n);
  FileBytes bytes = sound;
  const auto at = [&](std::size_t place) { return bytes.begin() + static_cast<std::ptrdiff_t>(place); };
  const std::size_t place = random.below(bytes.size());
  const std::size_t length = std::min(bytes.size() - place, std::size_t{1} << random.below(14));
  switch (random.below(6)) {
    case 0:
      for (std::size_t i = 0; i < length; ++i) bytes[place + i] = static_cast<std::byte>(random.below(256));
      break;
    case 1:
      std::fill_n(at(place), length, std::byte{0});
      break;
    case 2: {
      const std::size_t other = random.below(bytes.size() - length + 1);
      std::swap_ranges(at(other), at(std::min(other + length, place > other ? place : bytes.size())), at(place));
      break;
    }
    case 3:
      bytes.resize(place);
      break;
    case 4:
      bytes.insert(at(place), length, static_cast<std::byte>(random.below(256)));
      break;
    default:
      for (std::size_t flips = 1 + random.below(20); flips > 0; --flips)
        bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1U << random.below(8));
  }
  return bytes;
}

}  // namespace dfsweep
