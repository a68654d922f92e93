/// Lookup in documents.
#include "io/document.hpp"

namespace dfsweep {

const Node* Document::find(std::string_view key) const {
  for (const DocumentMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string_view Node::type_name() const {
  constexpr std::string_view names[] = {"a string", "an integer", "a number", "a boolean",
                                        "a date",   "an array",   "a table"};
  return names[value.index()];
}

}  // namespace dfsweep
