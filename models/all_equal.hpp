/// all_equal: whether a column of codes is constant over a range of points, as on the slow axes of a grid.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace dfsweep {

/// Compares the codes with themselves shifted by one, in one call of memcmp.
[[nodiscard]] inline bool all_equal(std::span<const std::uint32_t> codes) {
  return codes.size() < 2 || std::memcmp(codes.data(), codes.data() + 1, codes.size_bytes() - sizeof(codes[0])) == 0;
}

}  // namespace dfsweep
