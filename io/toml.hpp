/// TOML documents as plain values that know their place in the file; tables keep the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/diagnostic.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

struct TomlMember;
struct TomlValue;

struct TomlTable {
  std::vector<TomlMember> members;  ///< by position in the file
  /// The value of that key, or null.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
};
using TomlArray = std::vector<TomlValue>;

/// Dates and times: legal TOML that no file of ours uses.
struct TomlDate {
  bool operator==(const TomlDate&) const = default;
};

struct TomlValue {
  SourcePosition at;
  std::variant<std::string, std::int64_t, double, bool, TomlDate, TomlArray, TomlTable> value;
  /// Of texts: the characters stand in the file as they are, from the column after `at` (no escapes, one line).
  bool verbatim = false;

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
  [[nodiscard]] const TomlArray* array() const { return std::get_if<TomlArray>(&value); }
  [[nodiscard]] const TomlTable* table() const { return std::get_if<TomlTable>(&value); }
  /// "a string", "an integer", ...: for messages about wrong types.
  [[nodiscard]] std::string_view type_name() const;
};

struct TomlMember {
  std::string key;
  SourcePosition at;  ///< of the key
  TomlValue value;
};

/// Parses a document; positions name `file`. Throws UserError at the first syntax error.
[[nodiscard]] TomlTable parse_toml(std::string_view text, const std::string& file);

/// `text` as a TOML basic string, with quotes.
[[nodiscard]] std::string toml_quoted(std::string_view text);

}  // namespace dfsweep
