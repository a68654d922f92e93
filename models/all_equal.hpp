/// all_equal: whether the codes of a column do not vary over some points, as those of slow axes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace dfsweep {

/// Compares the codes with themselves, one place on: a few hundred take some nanoseconds.
[[nodiscard]] inline bool all_equal(std::span<const std::uint32_t> codes) {
  return codes.size() < 2 || std::memcmp(codes.data(), codes.data() + 1, codes.size_bytes() - sizeof(codes[0])) == 0;
}

}  // namespace dfsweep
