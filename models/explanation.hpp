/// Explanation: everything an estimator can say about one point, as a tree of titled facts and tables that is
/// rendered as text or JSON elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/absent.hpp"

namespace dfsweep {

/// A value with its unit (base SI; "" for texts and counts). Rendering chooses the prefix.
struct Fact {
  std::string label;
  std::variant<double, std::string> value;
  std::string unit;
};

struct ExplanationTable {
  std::vector<std::string> headings;
  std::vector<std::string> units;                                    ///< one per heading, "" where none
  std::vector<std::vector<std::variant<double, std::string>>> rows;  ///< [row][heading]
};

/// A graph whose nodes lie in groups, as boxes in frames; how it is laid out is the renderer's choice.
struct Drawing {
  enum class Emphasis : std::uint8_t { plain, strong };
  struct Node {
    std::string label;
    std::string note;       ///< a few more words
    std::size_t group = 0;  ///< index into groups
    Emphasis emphasis = Emphasis::plain;
  };
  /// From a node to another one; between groups it leads to the same or a later one.
  struct Edge {
    std::size_t from = 0;  ///< index into nodes, as `to`
    std::size_t to = 0;
    double amount = absent;  ///< in edge_unit; NaN: not said
  };
  struct Group {
    std::string title;
    std::vector<Fact> facts;
    std::size_t category = 0;  ///< index into categories
    double share = 0.0;        ///< of the whole, 0 to 1
  };
  std::string title;
  std::vector<std::string> categories;  ///< kinds of groups, for the legend
  std::vector<Group> groups;            ///< first to last
  std::vector<Node> nodes;              ///< within a group, no edge leads to an earlier one
  std::vector<Edge> edges;
  std::string edge_unit;
  std::string between;  ///< what edges between groups pass through ("DRAM")
  std::string inside;   ///< where edges within a group stay ("on the chip")
};

/// What happens when on which of several lanes (devices), as bars along an axis of time.
struct TimelineDrawing {
  struct Bar {
    std::size_t lane = 0;      ///< index into lanes
    double begin = 0.0;        ///< s
    double end = 0.0;          ///< s
    std::size_t category = 0;  ///< index into categories
    std::string label;
  };
  std::string title;
  std::vector<std::string> categories;  ///< kinds of bars, for the legend
  std::vector<std::string> lanes;       ///< from top to bottom
  std::vector<Bar> bars;
};

struct Explanation {
  std::string title;
  std::vector<Fact> facts;
  ExplanationTable table;  ///< empty headings: no table
  std::vector<Explanation> sections;
  std::optional<Drawing> drawing{};           ///< of the whole point, on the outermost explanation
  std::optional<TimelineDrawing> timeline{};  ///< likewise, where time is what there is to see
};

}  // namespace dfsweep
