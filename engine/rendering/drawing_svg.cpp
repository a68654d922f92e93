/// Drawings as self-contained SVG without scripts.
#include <fmt/format.h>

#include <algorithm>

#include "engine/rendering/drawing.hpp"
#include "engine/rendering/drawing_layout.hpp"
#include "engine/rendering/svg_text.hpp"
#include "io/terminal.hpp"
#include "io/xml_text.hpp"

namespace dfsweep {
namespace {

// Upper bounds of the average width of a character, in pixels.
constexpr double label_character = 7.0;
constexpr double note_character = 5.6;
constexpr double fact_character = 6.3;
constexpr double line_height = 15.0;
constexpr double widest_node = 170.0;
constexpr double share_bar = 5.0;

/// Colours of a category: light for the background of frames, strong for its mark. Repeated after the last category.
struct Colours {
  const char* soft;
  const char* strong;
};
constexpr Colours category_colours[] = {{"#e8f0fb", "#2f6db5"}, {"#fdf0e0", "#d9822b"}, {"#ece8f6", "#6f4fae"},
                                        {"#e6f4ea", "#2e8b57"}, {"#f6e6ea", "#b03a5b"}, {"#f0f0f0", "#606060"}};
constexpr const char* edge_colours[] = {"#1b4f72", "#9c4a00", "#4a235a", "#145a32", "#7b241c", "#4d5656"};

const Colours& colours_of(std::size_t category) {
  return category_colours[category % std::size(category_colours)];
}

DrawingRoom room_of(const Drawing& drawing) {
  std::size_t fact = 12;
  std::size_t lines = 0;
  for (const Drawing::Group& group : drawing.groups) {
    fact = std::max(fact, shown_width(group.title) + 2);
    for (const Fact& f : group.facts) fact = std::max(fact, shown_width(fact_text(f)));
    lines = std::max(lines, group.facts.size() + 1);
  }
  double node = 60.0;
  for (const Drawing::Node& n : drawing.nodes)
    node = std::max({node, static_cast<double>(shown_width(n.label)) * label_character + 12.0,
                     static_cast<double>(shown_width(n.note)) * note_character + 12.0});
  std::size_t amount = 0;
  for (const Drawing::Edge& edge : drawing.edges) amount = std::max(amount, shown_width(amount_text(drawing, edge)));
  return {.facts_width = static_cast<double>(fact) * fact_character + 14.0,
          .fact_lines = static_cast<double>(lines) + share_bar * 2.0 / line_height,
          .line_height = line_height,
          .node_width = std::min(node, widest_node),
          .node_height = 34.0,
          .amount_width = static_cast<double>(amount) * note_character,
          .head = 76.0};
}

std::string text_at(double x, double y, const char* style, std::string_view escaped_text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", pixels(x), pixels(y), style, escaped_text);
}

std::string rectangle(const Box& box, double radius, std::string_view attributes) {
  return fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" rx="{}" {}/>)"
                     "\n",
                     pixels(box.x), pixels(box.y), pixels(box.width), pixels(box.height), pixels(radius), attributes);
}

std::string head_svg(const Drawing& drawing, const Box& page) {
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)"
      "\n<title>{2}</title>\n",
      pixels(page.width), pixels(page.height), xml_text(drawing.title));
  svg += R"(<style>
text { font-family: "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; font-size: 11px; fill: #1c1c1c; }
.title { font-size: 15px; font-weight: bold; }
.group { font-size: 12px; font-weight: bold; }
.label { text-anchor: middle; }
.note, .amount { font-size: 9px; fill: #555; }
.note { text-anchor: middle; }
.channel { text-anchor: middle; fill: #777; }
.edge path { fill: none; stroke-width: 1.6; }
.edge.inside path { stroke: #8a8a8a; stroke-width: 0.9; }
.edge:hover path { stroke-width: 4; }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">)"
         R"(<path d="M0,0.8 L8,4 L0,7.2 z" fill="#444"/></marker></defs>)"
         "\n";
  svg += rectangle({0.0, 0.0, page.width, page.height}, 0.0, R"(fill="#ffffff")");
  return svg + text_at(16.0, 26.0, "title", fitted_text(drawing.title, page.width - 24.0, 9.4));
}

std::string legend_svg(const Drawing& drawing) {
  std::string svg;
  double x = 16.0;
  constexpr double y = 46.0;
  for (std::size_t c = 0; c < drawing.categories.size(); ++c) {
    svg += rectangle({x, y - 9.0, 12.0, 10.0}, 2.0, fmt::format(R"(fill="{}")", colours_of(c).strong));
    svg += text_at(x + 17.0, y, "legend", xml_text(drawing.categories[c]));
    x += 36.0 + static_cast<double>(shown_width(drawing.categories[c])) * fact_character;
  }
  std::string lines;
  if (!drawing.inside.empty()) lines += "thin lines stay " + drawing.inside;
  if (!drawing.between.empty()) lines += (lines.empty() ? "" : "; ") + ("thick ones pass through " + drawing.between);
  return svg + text_at(16.0, y + 18.0, "legend", xml_text(lines));
}

std::string frame_svg(const Drawing::Group& group, const Box& frame, double facts_width) {
  const Colours& colours = colours_of(group.category);
  std::string svg = rectangle(frame, 6.0, fmt::format(R"(fill="{}" stroke="{}")", colours.soft, colours.strong));
  const double x = frame.x + 10.0;
  double y = frame.y + line_height + 2.0;
  svg += text_at(x, y, "group", xml_text(group.title));
  const double width = facts_width - 14.0;
  y += share_bar;
  svg += rectangle({x, y, width, share_bar}, 2.0, R"(fill="#ffffff")");
  svg += rectangle({x, y, width * std::clamp(group.share, 0.0, 1.0), share_bar}, 2.0,
                   fmt::format(R"(fill="{}")", colours.strong));
  y += share_bar;
  for (const Fact& fact : group.facts) svg += text_at(x, y += line_height, "fact", xml_text(fact_text(fact)));
  return svg;
}

std::string node_svg(const Drawing::Node& node, const Box& box) {
  const bool strong = node.emphasis == Drawing::Emphasis::strong;
  const double middle = box.x + box.width / 2.0;
  std::string svg = fmt::format("<g><title>{} {}</title>\n", xml_text(node.label), xml_text(node.note));
  svg += rectangle(box, strong ? 2.0 : 9.0,
                   strong ? R"(fill="#ffffff" stroke="#222" stroke-width="1.8")" : R"(fill="#fbfbfb" stroke="#888")");
  svg += text_at(middle, box.y + (node.note.empty() ? 21.0 : 15.0), "label",
                 fitted_text(node.label, box.width - 4.0, label_character));
  if (!node.note.empty())
    svg += text_at(middle, box.y + 28.0, "note", fitted_text(node.note, box.width - 4.0, note_character));
  return svg + "</g>\n";
}

std::string edge_svg(const Drawing& drawing, const DrawingLayout& layout, std::size_t e) {
  const Drawing::Edge& edge = drawing.edges[e];
  const Route& route = layout.routes[e];
  const std::string amount = xml_text(amount_text(drawing, edge));
  std::string svg = fmt::format("<g class=\"{}\"><title>{} → {}{}{}</title>\n", route.crosses ? "edge" : "edge inside",
                                xml_text(drawing.nodes[edge.from].label), xml_text(drawing.nodes[edge.to].label),
                                amount.empty() ? "" : ": ", amount);
  std::string path;
  for (const Position& corner : route.corners)
    path += fmt::format("{}{},{}", path.empty() ? "M" : " L", pixels(corner.x), pixels(corner.y));
  const std::string stroke =
      route.crosses ? fmt::format(" stroke=\"{}\"", edge_colours[route.lane % std::size(edge_colours)]) : "";
  svg += fmt::format("<path d=\"{}\"{} marker-end=\"url(#tip)\"/>\n", path, stroke);
  if (route.crosses && !amount.empty())
    for (const std::size_t corner : {std::size_t{2}, std::size_t{3}})
      svg += text_at(layout.amounts_x, route.corners[corner].y - 2.0, "amount", amount);
  return svg + "</g>\n";
}

}  // namespace

std::string drawing_svg(const Drawing& drawing) {
  const DrawingRoom room = room_of(drawing);
  const DrawingLayout layout = layout_of(drawing, room);
  std::string svg = head_svg(drawing, layout.page) + legend_svg(drawing);
  if (layout.channel.width > 0.0) {
    svg += rectangle(layout.channel, 6.0, R"(fill="#f3f3f3")");
    svg += text_at(layout.channel.x + layout.channel.width / 2.0, layout.channel.y - 6.0, "channel",
                   xml_text(drawing.between));
  }
  for (std::size_t g = 0; g < drawing.groups.size(); ++g)
    svg += frame_svg(drawing.groups[g], layout.frames[g], room.facts_width);
  for (std::size_t e = 0; e < drawing.edges.size(); ++e) svg += edge_svg(drawing, layout, e);
  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) svg += node_svg(drawing.nodes[n], layout.boxes[n]);
  return svg + "</svg>\n";
}

}  // namespace dfsweep
