/// Selection of the listed positions, and construction of the lists.
#include "engine/plan/endings.hpp"

#include <algorithm>

namespace dfsweep {

namespace {

/// Small enough for the cache.
constexpr std::uint64_t max_choices = std::uint64_t{1} << 15;

using NodeId = DecisionDiagram::NodeId;

/// The first level of the diagram that belongs to a position >= `begin`; the number of levels if there is none.
std::size_t first_level(const DecisionDiagram& diagram, std::size_t begin) {
  const auto& levels = diagram.levels();
  const auto found = std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.axis >= begin; });
  return static_cast<std::size_t>(found - levels.begin());
}

/// a * b, or a number above max_choices if the product is above it.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a > max_choices || b > max_choices ? max_choices + 1 : a * b;
}

}  // namespace

Endings::Endings(const KeptGrid& grid) : begin_(grid.positions.size()) {
  std::vector<std::vector<std::uint64_t>> tuples;
  for (const DecisionDiagram& diagram : grid.diagrams) tuples.push_back(diagram.tuples_by_level());
  const auto choices = [&](std::size_t begin) {
    std::uint64_t all = 1;
    for (std::size_t p = begin; p < grid.positions.size(); ++p)
      if (grid.positions[p].diagram == KeptGrid::none) all = product(all, grid.positions[p].size);
    for (std::size_t d = 0; d < grid.diagrams.size(); ++d)
      if (const std::size_t level = first_level(grid.diagrams[d], begin); level < tuples[d].size())
        all = product(all, tuples[d][level]);
    return all;
  };
  while (begin_ > 0 && choices(begin_ - 1) <= max_choices) --begin_;
  if (begin_ + 1 < grid.positions.size()) add_lists(grid);
}

void Endings::add_lists(const KeptGrid& grid) {
  std::size_t states = 1;
  for (std::size_t d = 0; d < grid.diagrams.size(); ++d) {
    const DecisionDiagram& diagram = grid.diagrams[d];
    const std::size_t level = first_level(diagram, begin_);
    if (level == diagram.levels().size()) continue;
    Branch& branch = branches_.emplace_back();
    branch.diagram = d;
    branch.first_position = diagram.levels()[level].axis;
    branch.nodes = diagram.nodes_of(level);
    branch.stride = states;
    states *= branch.nodes.size();
    branch.ordinals.resize(std::size_t{*std::max_element(branch.nodes.begin(), branch.nodes.end())} + 1);
    for (std::size_t i = 0; i < branch.nodes.size(); ++i)
      branch.ordinals[branch.nodes[i]] = static_cast<std::uint32_t>(i);
  }
  codes_.resize(grid.positions.size() - begin_);
  std::vector<NodeId> nodes(grid.diagrams.size(), DecisionDiagram::nothing);
  std::vector<std::uint32_t> codes;
  for (std::size_t state = 0; state < states; ++state) {
    starts_.push_back(offsets_.size());
    for (const Branch& branch : branches_)
      nodes[branch.diagram] = branch.nodes[state / branch.stride % branch.nodes.size()];
    add_choices(grid, begin_, nodes, codes, 0);
  }
  starts_.push_back(offsets_.size());
}

void Endings::add_choices(const KeptGrid& grid, std::size_t position, std::vector<NodeId>& nodes,
                          std::vector<std::uint32_t>& codes, std::uint64_t offset) {
  if (position == grid.positions.size()) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes_[i].push_back(codes[i]);
    offsets_.push_back(offset);
    return;
  }
  const KeptGrid::Position& here = grid.positions[position];
  const auto choose = [&](std::uint32_t code) {
    codes.push_back(code);
    add_choices(grid, position + 1, nodes, codes, offset + code * here.stride);
    codes.pop_back();
  };
  if (here.diagram == KeptGrid::none) {
    for (std::uint32_t code = 0; code < here.size; ++code) choose(code);
    return;
  }
  NodeId& node = nodes[here.diagram];
  const NodeId before = node;
  for (const DecisionDiagram::Arc& arc : grid.diagrams[here.diagram].arcs(before)) {
    node = arc.child;
    choose(arc.code);
  }
  node = before;
}

}  // namespace dfsweep
