/// Drawing layout: where the frames, boxes and lines of a Drawing go, in pixels.
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

/// Right-angled, from the source to the destination.
struct Route {
  std::vector<Position> corners;
  bool crosses = false;  ///< between groups
  std::size_t lane = 0;  ///< of the channel, for edges between groups
};

struct DrawingLayout {
  Box page;
  std::vector<Box> frames;    ///< [group], with room for the facts at the left
  std::vector<Box> boxes;     ///< [node]
  std::vector<Route> routes;  ///< [edge]
  Box channel;                ///< of the edges between groups; as wide as 0 where there are none
  double amounts_x = 0.0;     ///< left end of the amounts written along edges between groups
};

/// What the layout leaves free for texts.
struct DrawingRoom {
  double facts_width = 0.0;
  double fact_lines = 0.0;  ///< most of a group, its title included
  double line_height = 0.0;
  double node_width = 0.0;
  double node_height = 0.0;
  double amount_width = 0.0;
  double head = 0.0;  ///< above the first frame
};

/// Nodes of a group stand in the order of the drawing in lines of at most eight. An edge to the next node is a straight
/// arrow; one to a later node of the line runs above it; one to another line of the frame through lanes at the left;
/// one to another frame through lanes at the right. No two edges share a stretch.
[[nodiscard]] DrawingLayout layout_of(const Drawing& drawing, const DrawingRoom& room);

}  // namespace dfsweep
