/// Base64 (RFC 4648), for binary data inside a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dfsweep::html {

/// Standard alphabet with padding.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

}  // namespace dfsweep::html
