/// JSON documents as plain values that know their place in the file, as those of TOML.
#pragma once

#include <string>
#include <string_view>

#include "io/toml.hpp"

namespace dfsweep {

/// Parses a document whose whole is an object; positions name `file`. Throws UserError at the first syntax error, and
/// with all values that TOML does not have (null) and names that are given twice.
[[nodiscard]] TomlTable parse_json_document(std::string_view text, const std::string& file);

}  // namespace dfsweep
