/// Text inside XML, such as SVG.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// Printable text with the characters escaped that mean something in XML, in text and in quoted attributes.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace dfsweep
