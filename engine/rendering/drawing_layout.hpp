/// Drawing layout: positions of the frames, boxes and edges of a Drawing, in pixels.
#pragma once

#include <vector>

#include "models/explanation.hpp"

namespace dfsweep {

struct Position {
  double x = 0.0;
  double y = 0.0;
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// An orthogonal polyline from source to destination.
struct Route {
  std::vector<Position> corners;
  bool crosses = false;  ///< whether the edge is between groups
  std::size_t lane = 0;  ///< lane of the channel, for edges between groups
};

struct DrawingLayout {
  Box page;
  std::vector<Box> frames;    ///< [group], with space for the facts on the left
  std::vector<Box> boxes;     ///< [node]
  std::vector<Route> routes;  ///< [edge]
  Box channel;                ///< of the edges between groups; width 0 without such edges
  double amounts_x = 0.0;     ///< left end of the amounts of edges between groups
};

/// Space that the layout reserves for texts.
struct DrawingRoom {
  double facts_width = 0.0;
  double fact_lines = 0.0;  ///< largest number of lines of a group, its title included
  double line_height = 0.0;
  double node_width = 0.0;
  double node_height = 0.0;
  double amount_width = 0.0;
  double head = 0.0;  ///< space above the first frame
};

/// Nodes of a group are in the order of the drawing, at most eight per line. An edge to the next node is a straight
/// arrow, an edge to a later node of the line runs above it, an edge to another line of the frame uses lanes on the
/// left, and an edge to another frame uses lanes on the right. Edges never overlap.
[[nodiscard]] DrawingLayout layout_of(const Drawing& drawing, const DrawingRoom& room);

}  // namespace dfsweep
