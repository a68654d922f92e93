/// Drawings: the text of a small one, well-formed pictures, lines that never share a stretch or run through a box.
#include "engine/rendering/drawing.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "engine/rendering/drawing_layout.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(drawing_test)

namespace {

Drawing three_kernels() {
  Drawing drawing;
  drawing.title = "a <b> & \"c\"";
  drawing.categories = {"bound by compute", "bound by memory"};
  drawing.groups = {{"partition 0", {{"time", 0.0015, "s"}}, 0, 0.75},
                    {"partition 1", {{"time", 0.0005, "s"}}, 1, 0.25}};
  drawing.nodes = {{"first", "by m", 0, Drawing::Emphasis::strong},
                   {"activation", "", 0, Drawing::Emphasis::plain},
                   {"second", "", 1, Drawing::Emphasis::strong}};
  drawing.edges = {{0, 1, 8e6}, {1, 2, 16e6}};
  drawing.edge_unit = "B";
  drawing.between = "DRAM";
  drawing.inside = "on the chip";
  return drawing;
}

/// `groups` groups of `size` nodes, with edges from every node to the next `reach` ones.
Drawing dense(std::size_t groups, std::size_t size, std::size_t reach) {
  Drawing drawing;
  for (std::size_t g = 0; g < groups; ++g) {
    drawing.groups.push_back({"group", {}, g, 0.0});
    for (std::size_t i = 0; i < size; ++i) drawing.nodes.push_back({"node", "", g, Drawing::Emphasis::plain});
  }
  for (std::size_t from = 0; from < groups * size; ++from)
    for (std::size_t to = from + 1; to < std::min(groups * size, from + 1 + reach); ++to)
      drawing.edges.push_back({from, to, 1.0});
  return drawing;
}

/// Whether every tag is closed by its own end and no bare & or < stands in texts.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&') {
      const std::string name = xml.substr(at + 1, xml.find(';', at) - at - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot") return false;
    }
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end;
    if (tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1)) return false;
    open.pop_back();
  }
  return open.empty();
}

struct Segment {
  std::size_t edge = 0;
  Position low;
  Position high;
};

std::vector<Segment> segments_of(const DrawingLayout& layout) {
  std::vector<Segment> segments;
  for (std::size_t e = 0; e < layout.routes.size(); ++e) {
    const std::vector<Position>& corners = layout.routes[e].corners;
    for (std::size_t i = 1; i < corners.size(); ++i)
      segments.push_back({e,
                          {std::min(corners[i - 1].x, corners[i].x), std::min(corners[i - 1].y, corners[i].y)},
                          {std::max(corners[i - 1].x, corners[i].x), std::max(corners[i - 1].y, corners[i].y)}});
  }
  return segments;
}

/// Longer than a point, of different edges and on the same line.
bool share_a_stretch(const Segment& a, const Segment& b) {
  const double width = std::min(a.high.x, b.high.x) - std::max(a.low.x, b.low.x);
  const double height = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
  return (width > 0.0 && height == 0.0 && a.low.y == a.high.y && b.low.y == b.high.y) ||
         (height > 0.0 && width == 0.0 && a.low.x == a.high.x && b.low.x == b.high.x);
}

bool runs_through(const Segment& s, const Box& box) {
  return s.low.x < box.x + box.width && s.high.x > box.x && s.low.y < box.y + box.height && s.high.y > box.y;
}

const DrawingRoom room{100.0, 5.0, 15.0, 80.0, 34.0, 50.0, 70.0};

}  // namespace

BOOST_AUTO_TEST_CASE(dot_of_three_kernels) {
  BOOST_TEST(drawing_dot(three_kernels()) == R"(digraph mapping {
  label="a <b> & \"c\"";
  labelloc=t;
  node [shape=box, fontsize=11];
  edge [fontsize=9];
  subgraph cluster_0 {
    label="partition 0\ntime 1.500 ms";
    n0 [label="first\nby m", penwidth=2];
    n1 [label="activation"];
  }
  subgraph cluster_1 {
    label="partition 1\ntime 500.0 us";
    n2 [label="second", penwidth=2];
  }
  n0 -> n1 [penwidth=0.7];
  n1 -> n2 [penwidth=2, label="16.00 MB"];
}
)");
}

BOOST_AUTO_TEST_CASE(svg_is_well_formed_and_says_what_the_drawing_says) {
  const std::string svg = drawing_svg(three_kernels());
  BOOST_TEST(is_well_formed(svg));
  for (const char* text :
       {"<title>a &lt;b&gt; &amp; &quot;c&quot;</title>", ">partition 1</text>", ">time 1.500 ms</text>",
        ">16.00 MB</text>", ">activation</text>", ">bound by memory</text>", ">DRAM</text>"})
    BOOST_TEST((svg.find(text) != std::string::npos), text);
  BOOST_TEST((svg.find(">8.000 MB</text>") == std::string::npos), "amounts on the chip are in the tooltip only");
  BOOST_TEST(drawing_svg(three_kernels()) == svg);
}

BOOST_AUTO_TEST_CASE(control_characters_and_long_names_do_not_break_the_picture) {
  Drawing drawing = three_kernels();
  drawing.nodes[1].label = "bell\a and a name of a kernel that is much longer than any box, \xC3\xA4\xC3\xB6\xC3\xBC";
  const std::string svg = drawing_svg(drawing);
  BOOST_TEST(is_well_formed(svg));
  BOOST_TEST((svg.find('\a') == std::string::npos));
  BOOST_TEST((svg.find("…</text>") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(lines_do_not_share_stretches_nor_cross_boxes) {
  const std::vector<Drawing> drawings{three_kernels(), dense(1, 41, 5), dense(6, 7, 9), dense(41, 1, 4),
                                      dense(3, 20, 12)};
  for (const Drawing& drawing : drawings) {
    BOOST_TEST(is_well_formed(drawing_svg(drawing)));
    const DrawingLayout layout = layout_of(drawing, room);
    const std::vector<Segment> segments = segments_of(layout);
    std::size_t shared = 0;
    std::size_t through = 0;
    for (std::size_t a = 0; a < segments.size(); ++a) {
      for (std::size_t b = a + 1; b < segments.size(); ++b)
        shared += segments[a].edge != segments[b].edge && share_a_stretch(segments[a], segments[b]) ? 1 : 0;
      for (const Box& box : layout.boxes) through += runs_through(segments[a], box) ? 1 : 0;
      BOOST_TEST(segments[a].high.x <= layout.page.width);
      BOOST_TEST(segments[a].high.y <= layout.page.height);
    }
    BOOST_TEST(shared == 0u);
    BOOST_TEST(through == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_timeline_has_its_lanes_bars_and_kinds) {
  const TimelineDrawing drawing{.title = "one <step>",
                                .categories = {"forward", "backward"},
                                .lanes = {"stage 1", "stage 2"},
                                .bars = {{0, 0.0, 1e-3, 0, "1"}, {1, 1e-3, 3e-3, 1, "a & b"}}};
  const std::string svg = timeline_svg(drawing);
  BOOST_TEST(is_well_formed(svg));
  for (const char* text :
       {"one &lt;step&gt;", ">stage 2<", ">backward<", "backward a &amp; b: 1.000 ms to 3.000 ms", "time [ms]"})
    BOOST_TEST((svg.find(text) != std::string::npos), text << " is missing in " << svg);
  BOOST_TEST(is_well_formed(timeline_svg({})));
}

BOOST_AUTO_TEST_CASE(a_drawing_of_nothing_is_still_a_picture) {
  BOOST_TEST(is_well_formed(drawing_svg({})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
