/// Drawings of explanations as text: self-contained SVG pictures, or DOT for Graphviz; and the words that both share.
#pragma once

#include <string>

#include "models/explanation.hpp"

namespace dfsweep {

/// Groups are frames from top to bottom, nodes are boxes from left to right, at most eight per line. Edges between
/// groups use lanes on the right and show their amounts. The same drawing always gives the same bytes. Pre (also of
/// drawing_dot()): indices are in range; edges lead to later nodes of a group or to later groups.
[[nodiscard]] std::string drawing_svg(const Drawing& drawing);

/// One lane per device, time from left to right. The same drawing always gives the same bytes. Pre: indices are in
/// range.
[[nodiscard]] std::string timeline_svg(const TimelineDrawing& drawing);

/// One cluster per group.
[[nodiscard]] std::string drawing_dot(const Drawing& drawing);

/// "SRAM 83.89 MB".
[[nodiscard]] std::string fact_text(const Fact& fact);

/// "52.43 MB"; empty where the edge says nothing.
[[nodiscard]] std::string amount_text(const Drawing& drawing, const Drawing::Edge& edge);

}  // namespace dfsweep
