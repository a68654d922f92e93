/// Counts and decodes the kept points of a grid.
#include "engine/plan/grid_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/plan/row_filters.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t largest_subspace = std::uint64_t{1} << 28;

DecisionDiagram diagram_of(AxisFilter& filter, std::vector<DecisionDiagram::Level> levels, std::size_t searched_axis) {
  std::uint64_t size = 1;
  for (const auto& level : levels) {
    size *= level.size;
    if (size > largest_subspace)
      throw UserError({{filter.filter().at, fmt::format("filter '{}' is too wide", filter.filter().expression),
                        "the axes that it names have more than 2^28 combinations",
                        "Split it into several, or link axes by [[together]]"}});
  }
  std::vector<std::uint32_t> known(levels.size(), static_cast<std::uint32_t>(-1));
  const auto keeps = [&](std::span<const std::uint32_t> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (known[i] != codes[i]) filter.set_code(i, known[i] = codes[i]);
    return filter.keeps();
  };
  return {std::move(levels), searched_axis, keeps};
}

bool share_axes(const DecisionDiagram& a, const DecisionDiagram& b) {
  return std::any_of(a.levels().begin(), a.levels().end(), [&](const DecisionDiagram::Level& level) {
    return std::find(b.levels().begin(), b.levels().end(), level) != b.levels().end();
  });
}

bool has_levels_of(const DecisionDiagram& diagram, const DecisionDiagram& filter) {
  return std::all_of(filter.levels().begin(), filter.levels().end(), [&](const DecisionDiagram::Level& level) {
    return std::find(diagram.levels().begin(), diagram.levels().end(), level) != diagram.levels().end();
  });
}

/// The diagrams with the tuples that are in `filter`, too. Diagrams that share axes with it become one.
std::vector<DecisionDiagram> joined(std::vector<DecisionDiagram> diagrams, DecisionDiagram filter) {
  for (DecisionDiagram& diagram : diagrams)
    if (!filter.levels().empty() && has_levels_of(diagram, filter)) {
      diagram.keep(filter);
      return diagrams;
    }
  std::vector<DecisionDiagram> all;
  for (DecisionDiagram& diagram : diagrams) {
    if (share_axes(diagram, filter))
      filter = DecisionDiagram::intersection(filter, diagram);
    else
      all.push_back(std::move(diagram));
  }
  const bool keeps_all = filter.levels().empty() && filter.tuples() == 1;
  if (!keeps_all) all.push_back(std::move(filter));
  return all;
}

}  // namespace

GridRows::GridRows(const SweepSpec& spec, std::vector<FilterEffect>& effects)
    : GridRows(spec, spec.search ? spec.search->axes : std::vector<std::size_t>(), effects) {}

GridRows::GridRows(const SweepSpec& spec, const std::vector<std::size_t>& inner, std::vector<FilterEffect>& effects) {
  order_axes(spec, inner);
  apply_filters(spec, effects);
  connect_positions();
  grid_.kept = count_kept();
  groups_ = grid_.kept;
  if (grid_.has_groups) {
    groups_ = 1;
    for (const DecisionDiagram& diagram : grid_.diagrams) {
      groups_ *= diagram.groups(diagram.root());
      largest_group_ *= diagram.largest_group();
    }
    for (std::size_t p = 0; p < grid_.positions.size(); ++p)
      if (grid_.positions[p].diagram == KeptGrid::none)
        (p < grid_.inner_begin ? groups_ : largest_group_) *= grid_.positions[p].size;
  }
}

void GridRows::order_axes(const SweepSpec& spec, const std::vector<std::size_t>& inner) {
  std::vector<std::uint64_t> strides(spec.axes.size());
  for (std::size_t a = spec.axes.size(); a-- > 0;) {
    strides[a] = grid_size_;
    if (__builtin_mul_overflow(grid_size_, std::uint64_t{spec.axes[a].size}, &grid_size_))
      throw UserError({{{spec.source, 1, 1}, "the grid is too large", "points are counted up to 2^64", ""}});
  }
  const auto is_inner = [&](std::size_t a) { return std::find(inner.begin(), inner.end(), a) != inner.end(); };
  grid_.has_groups = !inner.empty();
  for (const bool wanted : {false, true}) {
    if (wanted) grid_.inner_begin = grid_.positions.size();
    for (std::size_t a = 0; a < spec.axes.size(); ++a)
      if (is_inner(a) == wanted)
        grid_.positions.push_back({a, spec.axes[a].size, strides[a], KeptGrid::none, KeptGrid::none});
  }
}

void GridRows::apply_filters(const SweepSpec& spec, std::vector<FilterEffect>& effects) {
  std::vector<std::size_t> order;
  for (const KeptGrid::Position& position : grid_.positions) order.push_back(position.axis);
  std::uint64_t before = grid_size_;
  for (const Filter& one : spec.filters) {
    AxisFilter filter(spec, one, order);
    std::vector<DecisionDiagram::Level> levels;
    for (const std::size_t p : filter.positions()) levels.push_back({p, grid_.positions[p].size});
    std::uint64_t after = 0;
    double fraction = 0.0;
    try {
      DecisionDiagram kept = diagram_of(filter, levels, grid_.inner_begin);
      double subspace = 1.0;
      for (const auto& level : levels) subspace *= level.size;
      fraction = static_cast<double>(kept.tuples()) / subspace;
      grid_.diagrams = joined(std::move(grid_.diagrams), std::move(kept));
      after = count_kept();
    } catch (const DecisionDiagram::TooLarge&) {
      throw UserError({{one.at, fmt::format("filter '{}' cannot be combined with those before it", one.expression),
                        "their common axes have too many different cases", "Name fewer axes in one filter"}});
    }
    effects.push_back({one.expression, fraction, before - after});
    if (after == 0)
      throw UserError({{one.at, "the filters reject every point",
                        fmt::format("'{}' rejects the last {}", one.expression, before), ""}});
    before = after;
  }
  for (DecisionDiagram& diagram : grid_.diagrams) diagram.compact();
}

std::uint64_t GridRows::count_kept() const {
  std::vector<bool> filtered(grid_.positions.size(), false);
  std::uint64_t kept = 1;
  for (const DecisionDiagram& diagram : grid_.diagrams) {
    kept *= diagram.tuples();
    for (const auto& level : diagram.levels()) filtered[level.axis] = true;
  }
  for (std::size_t p = 0; p < grid_.positions.size(); ++p)
    if (!filtered[p]) kept *= grid_.positions[p].size;
  return kept;
}

void GridRows::connect_positions() {
  for (std::size_t d = 0; d < grid_.diagrams.size(); ++d) {
    std::size_t previous = KeptGrid::none;
    for (const auto& level : grid_.diagrams[d].levels()) {
      grid_.positions[level.axis].diagram = d;
      grid_.positions[level.axis].previous = previous;
      previous = level.axis;
    }
  }
  grid_.tail_begin = grid_.positions.size();
  while (grid_.tail_begin > 0 && grid_.positions[grid_.tail_begin - 1].diagram == KeptGrid::none)
    grid_.tail_size *= grid_.positions[--grid_.tail_begin].size;
  if (grid_.tail_begin == grid_.positions.size()) endings_ = Endings(grid_);
}

std::uint64_t GridRows::group_begin(std::uint64_t group) const {
  if (!grid_.has_groups || group == groups_) return grid_.has_groups ? grid_.kept : group;
  std::vector<DecisionDiagram::NodeId> nodes;
  for (const DecisionDiagram& diagram : grid_.diagrams) nodes.push_back(diagram.root());
  std::uint64_t groups = groups_;
  std::uint64_t points = grid_.kept;
  std::uint64_t begin = 0;
  for (std::size_t p = 0; p < grid_.inner_begin; ++p) {
    const KeptGrid::Position& position = grid_.positions[p];
    if (position.diagram == KeptGrid::none) {
      groups /= position.size;
      points /= position.size;
      begin += group / groups * points;
      group %= groups;
      continue;
    }
    const DecisionDiagram& diagram = grid_.diagrams[position.diagram];
    DecisionDiagram::NodeId& node = nodes[position.diagram];
    const std::uint64_t other_groups = groups / diagram.groups(node);
    const std::uint64_t other_points = points / diagram.tuples(node);
    const auto arcs = diagram.arcs(node);
    const std::uint64_t local = group / other_groups;
    const auto after = std::partition_point(
        arcs.begin(), arcs.end(), [&](const DecisionDiagram::Arc& arc) { return arc.groups_before <= local; });
    const DecisionDiagram::Arc& arc = *(after - 1);
    group -= arc.groups_before * other_groups;
    begin += arc.tuples_before * other_points;
    node = arc.child;
    groups = other_groups * diagram.groups(node);
    points = other_points * diagram.tuples(node);
  }
  return begin;
}

}  // namespace dfsweep
