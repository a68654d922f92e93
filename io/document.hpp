/// Documents: a parsed TOML or JSON file as plain values with their positions; tables keep the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep {

struct DocumentMember;
struct Node;

struct Document {
  std::vector<DocumentMember> members;  ///< by position in the file
  /// The value of `key`, or null.
  [[nodiscard]] const Node* find(std::string_view key) const;
};
using NodeList = std::vector<Node>;

/// Dates and times: valid TOML, but no dfsweep file uses them.
struct DocumentDate {
  bool operator==(const DocumentDate&) const = default;
};

struct Node {
  SourcePosition at;
  std::variant<std::string, std::int64_t, double, bool, DocumentDate, NodeList, Document> value;
  /// True for a text without escapes on one line: its characters are in the file from the column after `at`.
  bool verbatim = false;

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
  [[nodiscard]] const NodeList* array() const { return std::get_if<NodeList>(&value); }
  [[nodiscard]] const Document* table() const { return std::get_if<Document>(&value); }
  /// "a string", "an integer", ...: for messages about wrong types.
  [[nodiscard]] std::string_view type_name() const;
};

struct DocumentMember {
  std::string key;
  SourcePosition at;  ///< position of the key
  Node value;
};

}  // namespace dfsweep
