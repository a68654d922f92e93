/// KeptGrid: the structure of the kept points of a grid.
///
/// Axes are in evaluation order: those that form groups (the reported ones of a search), then the inner ones, each in
/// grid order. Filters that share axes are joined to one diagram; diagrams and unfiltered axes are independent, so
/// their counts multiply. Trailing unfiltered axes (the *tail*) repeat the same codes after every choice of the other
/// axes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/decision_diagram.hpp"

namespace dfsweep {

struct KeptGrid {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// One axis in evaluation order.
  struct Position {
    std::size_t axis = 0;  ///< index of the axis in the sweep
    std::uint32_t size = 0;
    std::uint64_t stride = 0;     ///< factor of its code in the point index
    std::size_t diagram = none;   ///< index into `diagrams`
    std::size_t previous = none;  ///< position of the previous level of the same diagram
  };

  std::vector<Position> positions;
  std::vector<DecisionDiagram> diagrams;
  std::size_t inner_begin = 0;  ///< first inner (searched) position; the number of positions without groups
  std::size_t tail_begin = 0;
  std::uint64_t tail_size = 1;
  bool has_groups = false;
  std::uint64_t kept = 0;  ///< number of kept points
};

}  // namespace dfsweep
