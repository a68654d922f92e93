/// Parsing and quoting of TOML.
#pragma once

#include <string>
#include <string_view>

#include "io/document.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

/// Parses a document; positions name `file`. Throws UserError at the first syntax error.
[[nodiscard]] Document parse_toml(std::string_view text, const std::string& file);

/// `text` as a TOML basic string, with quotes.
[[nodiscard]] std::string toml_quoted(std::string_view text);

}  // namespace dfsweep
