/// Explanation: everything an estimator can say about one point, as a tree of titled facts and tables that is
/// rendered as text or JSON elsewhere.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace dfsweep {

/// A value with its unit (base SI; "" for texts and counts). Rendering chooses the prefix.
struct Fact {
  std::string label;
  std::variant<double, std::string> value;
  std::string unit;
};

struct ExplanationTable {
  std::vector<std::string> headings;
  std::vector<std::string> units;                                   ///< one per heading, "" where none
  std::vector<std::vector<std::variant<double, std::string>>> rows;  ///< [row][heading]
};

struct Explanation {
  std::string title;
  std::vector<Fact> facts;
  ExplanationTable table;             ///< empty headings: no table
  std::vector<Explanation> sections;
};

}  // namespace dfsweep
