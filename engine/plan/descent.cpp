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
  const DecisionDiagram::NodeId node = nodes_[position.diagram];
  const std::uint64_t local = offset / (count_ / units_of(diagram, node));
  const auto arcs = diagram.arcs(node);
  const auto after = std::partition_point(arcs.begin(), arcs.end(),
                                          [&](const DecisionDiagram::Arc& arc) { return units_before(arc) <= local; });
  follow(position, *(after - 1));
}

bool Descent::choose_code(std::uint32_t code) {
  const KeptGrid::Position& position = grid_->positions[position_];
  if (position.diagram == KeptGrid::none) {
    choose(code * (count_ / position.size));
    return true;
  }
  const auto arcs = grid_->diagrams[position.diagram].arcs(nodes_[position.diagram]);
  const auto found =
      std::lower_bound(arcs.begin(), arcs.end(), code,
                       [](const DecisionDiagram::Arc& arc, std::uint32_t wanted) { return arc.code < wanted; });
  if (found == arcs.end() || found->code != code) return false;
  ++position_;
  follow(position, *found);
  return true;
}

void Descent::follow(const KeptGrid::Position& position, const DecisionDiagram::Arc& arc) {
  const DecisionDiagram& diagram = grid_->diagrams[position.diagram];
  DecisionDiagram::NodeId& node = nodes_[position.diagram];
  const std::uint64_t others = count_ / units_of(diagram, node);
  rank_ += units_before(arc) * others;
  point_ += arc.code * position.stride;
  node = arc.child;
  count_ = others * units_of(diagram, node);
}

std::optional<std::uint64_t> rank_of(const KeptGrid& grid, std::span<const std::uint32_t> codes) {
  Descent descent(grid, Unit::points, grid.kept);
  while (descent.position() < descent.end())
    if (!descent.choose_code(codes[grid.positions[descent.position()].axis])) return std::nullopt;
  return descent.rank();
}

}  // namespace dfsweep
