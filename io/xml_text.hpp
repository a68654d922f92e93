/// Escapes text for XML, such as SVG.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// `text` made printable and escaped for XML content and for quoted attributes.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace dfsweep
