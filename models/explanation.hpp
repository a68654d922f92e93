/// Explanation: a tree of titled facts and tables about one point, which the engine renders as text or JSON.
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
  std::vector<std::string> units;                                    ///< one per heading, "" for no unit
  std::vector<std::vector<std::variant<double, std::string>>> rows;  ///< [row][heading]
};

/// A graph whose nodes belong to groups, drawn as boxes in frames. The renderer decides the layout.
struct Drawing {
  enum class Emphasis : std::uint8_t { plain, strong };
  struct Node {
    std::string label;
    std::string note;       ///< second line of the label
    std::size_t group = 0;  ///< index into groups
    Emphasis emphasis = Emphasis::plain;
  };
  /// A directed edge. It never leads to an earlier group.
  struct Edge {
    std::size_t from = 0;  ///< indices into nodes, as for `to`
    std::size_t to = 0;
    double amount = absent;  ///< in edge_unit; NaN: not shown
  };
  struct Group {
    std::string title;
    std::vector<Fact> facts;
    std::size_t category = 0;  ///< index into categories
    double share = 0.0;        ///< share of the total, 0 to 1
  };
  std::string title;
  std::vector<std::string> categories;  ///< kinds of groups, for the legend
  std::vector<Group> groups;            ///< in topological order
  std::vector<Node> nodes;              ///< in topological order within each group
  std::vector<Edge> edges;
  std::string edge_unit;
  std::string between;  ///< medium of edges between groups ("DRAM")
  std::string inside;   ///< medium of edges within a group ("on the chip")
};

/// A Gantt chart: bars on several lanes (devices) along a time axis.
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

/// A long table for a file of its own.
struct Listing {
  std::string name;  ///< "requests"
  ExplanationTable table;
};

struct Explanation {
  std::string title;
  std::vector<Fact> facts;
  ExplanationTable table;  ///< empty headings: no table
  std::vector<Explanation> sections;
  std::optional<Drawing> drawing{};           ///< of the whole point, on the outermost explanation
  std::optional<TimelineDrawing> timeline{};  ///< of the whole point, on the outermost explanation
  std::vector<Listing> listings{};            ///< of the whole point, on the outermost explanation
};

}  // namespace dfsweep
