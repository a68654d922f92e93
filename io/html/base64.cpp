#include "io/html/base64.hpp"

#include <cstdint>
#include <string_view>

namespace dfsweep::html {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0U; };
  char* out = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const std::size_t characters = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t k = 0; k < characters; ++k) out[k] = alphabet[group >> (18 - 6 * k) & 63U];
    out += 4;
  }
  return text;
}

}  // namespace dfsweep::html
