#include "engine/plan/descent.hpp"

#include <algorithm>

namespace dfsweep {

Descent::Descent(const KeptGrid& grid, Unit unit, std::uint64_t units) : grid_(&grid), unit_(unit), count_(units) {
  nodes_.reserve(grid.diagrams.size());
  for (const DecisionDiagram& diagram : grid.diagrams) nodes_.push_back(diagram.root());
}

void Descent::choose(std::uint64_t offset) {
  const KeptGrid::Position& position = grid_->positions[position_++];
  if (position.diagram == KeptGrid::none) {
    count_ /= position.size;
    const std::uint64_t code = offset / count_;
    rank_ += code * count_;
    point_ += code * position.stride;
    return;
  }
  const DecisionDiagram& diagram = grid_->diagrams[position.diagram];
  DecisionDiagram::NodeId& node = nodes_[position.diagram];
  const std::uint64_t others = count_ / units_of(diagram, node);
  const std::uint64_t local = offset / others;
  const auto before = [this](const DecisionDiagram::Arc& arc) {
    return unit_ == Unit::groups ? arc.groups_before : arc.tuples_before;
  };
  const auto arcs = diagram.arcs(node);
  const auto after = std::partition_point(arcs.begin(), arcs.end(),
                                          [&](const DecisionDiagram::Arc& arc) { return before(arc) <= local; });
  const DecisionDiagram::Arc& arc = *(after - 1);
  rank_ += before(arc) * others;
  point_ += arc.code * position.stride;
  node = arc.child;
  count_ = others * units_of(diagram, node);
}

}  // namespace dfsweep
