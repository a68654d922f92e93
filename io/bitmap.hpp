/// Bits of a list of flags, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

/// Appends a bit for each flag (0 or 1); the last byte is filled with zeros.
inline void append_bits(std::vector<std::byte>& bytes, std::span<const std::uint8_t> flags) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + (flags.size() + 7) / 8);
  std::size_t i = 0;
  for (std::byte* out = bytes.data() + begin; i + 8 <= flags.size(); i += 8, ++out) {
    unsigned bits = 0;
    for (unsigned bit = 0; bit < 8; ++bit) bits |= static_cast<unsigned>(flags[i + bit]) << bit;
    *out = static_cast<std::byte>(bits);
  }
  for (; i < flags.size(); ++i)
    bytes[begin + i / 8] |= static_cast<std::byte>(static_cast<unsigned>(flags[i]) << (i % 8));
}

}  // namespace dfsweep
