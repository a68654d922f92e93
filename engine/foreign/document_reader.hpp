/// DocumentReader: typed access to fields of a foreign document; collects problems with positions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/toml.hpp"

namespace dfsweep::foreign {

/// The value as a number; nothing if it has another type.
[[nodiscard]] std::optional<double> number_in(const Node& value);
/// A text, number or boolean as text; nothing if the value has another type.
[[nodiscard]] std::optional<std::string> scalar_text(const Node& value);

class DocumentReader {
 public:
  /// Pre: `table` and `problems` outlive the reader. `owner` names the table in messages ("networks[1]").
  DocumentReader(const Document& table, SourcePosition at, std::string owner, std::vector<Problem>& problems)
      : table_(&table), at_(std::move(at)), owner_(std::move(owner)), problems_(&problems) {}

  /// Each records a problem if the field is missing or has another type, and returns a valid default.
  double number(std::string_view field);
  double number_or(std::string_view field, double otherwise);
  std::string text(std::string_view field);
  bool boolean(std::string_view field);
  DocumentReader table(std::string_view field);
  /// The elements of a list; empty after a problem.
  const NodeList& list(std::string_view field);

  [[nodiscard]] const Document& members() const { return *table_; }
  void complain(const SourcePosition& at, std::string problem, std::string reason);

 private:
  const Node* needed(std::string_view field);
  [[nodiscard]] std::string path(std::string_view field) const;

  const Document* table_;
  SourcePosition at_;
  std::string owner_;
  std::vector<Problem>* problems_;
};

}  // namespace dfsweep::foreign
