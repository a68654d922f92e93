/// Parses JSON files to documents: plain values with positions, as for TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/document.hpp"

namespace dfsweep {

/// How null is treated, which TOML does not have.
enum class JsonNulls : std::uint8_t {
  errors,
  dropped,  ///< null members and elements are ignored
};

/// Parses a document whose root is an object; positions name `file`. Throws UserError at the first syntax error, or
/// with all forbidden nulls and duplicate names.
[[nodiscard]] Document parse_json_document(std::string_view text, const std::string& file,
                                           JsonNulls nulls = JsonNulls::errors);

}  // namespace dfsweep
