/// Choice of the listed positions, and the lists.
#include "engine/plan/endings.hpp"

#include <algorithm>

#include "engine/plan/grid_decoding.hpp"

namespace dfsweep {

namespace {

/// Few enough to stay in a cache.
constexpr std::uint64_t most_choices = std::uint64_t{1} << 15;

using NodeId = DecisionDiagram::NodeId;

std::vector<NodeId> next_level(const DecisionDiagram& diagram, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> children;
  for (const NodeId node : nodes)
    for (const DecisionDiagram::Arc& arc : diagram.arcs(node)) children.push_back(arc.child);
  std::sort(children.begin(), children.end());
  children.erase(std::unique(children.begin(), children.end()), children.end());
  return children;
}

}  // namespace

std::vector<Endings::Branch> Endings::branches_from(const KeptGrid& grid, std::size_t begin) {
  std::vector<Branch> branches;
  for (std::size_t d = 0; d < grid.diagrams.size(); ++d) {
    const DecisionDiagram& diagram = grid.diagrams[d];
    Branch branch{.diagram = d, .first_position = 0, .nodes = {diagram.root()}, .ordinals = {}, .stride = 1};
    auto level = diagram.levels().begin();
    for (; level != diagram.levels().end() && level->axis < begin; ++level)
      branch.nodes = next_level(diagram, branch.nodes);
    if (level == diagram.levels().end()) continue;
    branch.first_position = level->axis;
    branches.push_back(std::move(branch));
  }
  return branches;
}

Endings::Endings(const KeptGrid& grid) : begin_(grid.positions.size()) {
  const auto choices = [&](std::size_t begin) {
    std::uint64_t all = 1;
    for (std::size_t p = begin; p < grid.positions.size() && all <= most_choices; ++p)
      if (grid.positions[p].diagram == KeptGrid::none) all *= grid.positions[p].size;
    for (const Branch& branch : branches_from(grid, begin)) {
      std::uint64_t tuples = 0;
      for (const NodeId node : branch.nodes) tuples += grid.diagrams[branch.diagram].tuples(node);
      all = tuples > most_choices ? most_choices + 1 : all * tuples;
      if (all > most_choices) return false;
    }
    return all <= most_choices;
  };
  while (begin_ > 0 && choices(begin_ - 1)) --begin_;
  if (begin_ + 1 < grid.positions.size()) add_lists(grid);
}

void Endings::add_lists(const KeptGrid& grid) {
  branches_ = branches_from(grid, begin_);
  std::size_t states = 1;
  for (Branch& branch : branches_) {
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
