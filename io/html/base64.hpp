/// Base64 as RFC 4648 defines it: how bytes travel inside a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dfsweep::html {

/// The standard alphabet with padding: three bytes are four characters.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

}  // namespace dfsweep::html
