/// JSON documents as plain values that know their place in the file, as those of TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/document.hpp"

namespace dfsweep {

/// What becomes of null, which TOML does not have.
enum class JsonNulls : std::uint8_t {
  errors,
  dropped,  ///< members and elements that are null are left out
};

/// Parses a document whose whole is an object; positions name `file`. Throws UserError at the first syntax error, and
/// with all nulls that are errors and names that are given twice.
[[nodiscard]] Document parse_json_document(std::string_view text, const std::string& file,
                                           JsonNulls nulls = JsonNulls::errors);

}  // namespace dfsweep
