/// UTF-8: validates the first code point of a text.
#pragma once

#include <cstddef>
#include <string_view>

namespace dfsweep {

/// Number of bytes of the first code point of `text`; 0 if it is not valid UTF-8 (overlong forms and surrogates are
/// invalid). Pre: not empty. Source: Unicode 15, table 3-7.
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  const unsigned next = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned lowest = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned highest = lead == 0xED ? 0x9F : 0xBF;
    return next >= lowest && next <= highest && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned lowest = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned highest = lead == 0xF4 ? 0x8F : 0xBF;
    return next >= lowest && next <= highest && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace dfsweep
