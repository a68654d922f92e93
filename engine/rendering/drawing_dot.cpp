/// Drawings in the DOT language of Graphviz.
#include <fmt/format.h>

#include "engine/rendering/drawing.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string cluster(const Drawing& drawing, std::size_t group) {
  std::string label = escaped(drawing.groups[group].title);
  for (const Fact& fact : drawing.groups[group].facts) label += "\\n" + escaped(fact_text(fact));
  std::string dot = fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", group, label);
  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const Drawing::Node& node = drawing.nodes[n];
    if (node.group != group) continue;
    const std::string note = node.note.empty() ? std::string() : "\\n" + escaped(node.note);
    dot += fmt::format("    n{} [label=\"{}{}\"{}];\n", n, escaped(node.label), note,
                       node.emphasis == Drawing::Emphasis::strong ? ", penwidth=2" : "");
  }
  return dot + "  }\n";
}

}  // namespace

std::string drawing_dot(const Drawing& drawing) {
  std::string dot = fmt::format("digraph mapping {{\n  label=\"{}\";\n", escaped(drawing.title));
  dot += "  labelloc=t;\n  node [shape=box, fontsize=11];\n  edge [fontsize=9];\n";
  for (std::size_t g = 0; g < drawing.groups.size(); ++g) dot += cluster(drawing, g);
  for (const Drawing::Edge& edge : drawing.edges) {
    const bool crosses = drawing.nodes[edge.from].group != drawing.nodes[edge.to].group;
    std::string look = crosses ? "penwidth=2" : "penwidth=0.7";
    const std::string amount = amount_text(drawing, edge);
    if (crosses && !amount.empty()) look += fmt::format(", label=\"{}\"", escaped(amount));
    dot += fmt::format("  n{} -> n{} [{}];\n", edge.from, edge.to, look);
  }
  return dot + "}\n";
}

std::string fact_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) return fact.label + " " + *text;
  return fact.label + " " + with_unit(std::get<double>(fact.value), fact.unit);
}

std::string amount_text(const Drawing& drawing, const Drawing::Edge& edge) {
  return !is_given(edge.amount) ? std::string() : with_unit(edge.amount, drawing.edge_unit);
}

}  // namespace dfsweep
