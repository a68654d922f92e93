/// KeptGrid: the structure of the kept points of a grid.
///
/// Axes are put into evaluation order: reported axes, then searched ones, each in grid order. Filters that share axes
/// are intersected to one diagram; diagrams and the axes of no filter are independent of each other, so that counts
/// multiply. Trailing axes of no filter (the *tail*) repeat the same codes after every choice of the others.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/decision_diagram.hpp"

namespace dfsweep {

struct KeptGrid {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// One axis in evaluation order.
  struct Position {
    std::size_t axis = 0;  ///< of the sweep
    std::uint32_t size = 0;
    std::uint64_t stride = 0;     ///< of its codes in the index of a point
    std::size_t diagram = none;   ///< into `diagrams`
    std::size_t previous = none;  ///< position of the level before in the same diagram
  };

  std::vector<Position> positions;
  std::vector<DecisionDiagram> diagrams;
  std::size_t searched_begin = 0;  ///< first searched position; without a search the number of positions
  std::size_t tail_begin = 0;
  std::uint64_t tail_size = 1;
  bool has_search = false;
  std::uint64_t kept = 0;  ///< points
};

}  // namespace dfsweep
