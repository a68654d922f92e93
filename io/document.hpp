/// Documents: what a TOML or JSON file says, as plain values that know their place in it; tables keep the order of the
/// file.
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
  /// The value of that key, or null.
  [[nodiscard]] const Node* find(std::string_view key) const;
};
using NodeList = std::vector<Node>;

/// Dates and times: legal TOML that no file of ours uses.
struct DocumentDate {
  bool operator==(const DocumentDate&) const = default;
};

struct Node {
  SourcePosition at;
  std::variant<std::string, std::int64_t, double, bool, DocumentDate, NodeList, Document> value;
  /// Of texts: the characters stand in the file as they are, from the column after `at` (no escapes, one line).
  bool verbatim = false;

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
  [[nodiscard]] const NodeList* array() const { return std::get_if<NodeList>(&value); }
  [[nodiscard]] const Document* table() const { return std::get_if<Document>(&value); }
  /// "a string", "an integer", ...: for messages about wrong types.
  [[nodiscard]] std::string_view type_name() const;
};

struct DocumentMember {
  std::string key;
  SourcePosition at;  ///< of the key
  Node value;
};

}  // namespace dfsweep
