/// DocumentReader: fields of a foreign document within their types, and what is wrong with them, at their places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/toml.hpp"

namespace dfsweep::foreign {

/// A number of a document; nothing if the value is none.
[[nodiscard]] std::optional<double> number_in(const Node& value);
/// A text, number or truth value as text.
[[nodiscard]] std::optional<std::string> scalar_text(const Node& value);

class DocumentReader {
 public:
  /// Pre: `table` and `problems` outlive the reader. `owner` names the table in messages ("networks[1]").
  DocumentReader(const Document& table, SourcePosition at, std::string owner, std::vector<Problem>& problems)
      : table_(&table), at_(std::move(at)), owner_(std::move(owner)), problems_(&problems) {}

  /// Each reports what is missing or of another type and returns something legal.
  double number(std::string_view field);
  double number_or(std::string_view field, double otherwise);
  std::string text(std::string_view field);
  bool truth(std::string_view field);
  DocumentReader table(std::string_view field);
  /// The elements of a list; none after a problem.
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
