/// Descent: the choice of one kept point, or of one group, axis by axis, with the number of those that remain.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/plan/kept_grid.hpp"

namespace dfsweep {

/// What a descent counts and numbers. Groups end at KeptGrid::inner_begin.
enum class Unit : std::uint8_t { points, groups };

class Descent {
 public:
  /// Before the first position. Pre: `grid` outlives the descent.
  Descent(const KeptGrid& grid, Unit unit, std::uint64_t units);

  /// Number of units that agree on all positions chosen so far, and the rank of the first of them.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t rank() const { return rank_; }
  /// The contribution of the positions chosen so far to the point index.
  [[nodiscard]] std::uint64_t point() const { return point_; }
  /// The next position to choose; end() after the last one.
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t end() const { return unit_ == Unit::groups ? grid_->inner_begin : grid_->positions.size(); }
  /// Chooses the code of the next position that the unit of rank rank() + `offset` has. Pre: offset < count().
  void choose(std::uint64_t offset);
  /// Chooses this code at the next position. Returns whether a unit has it; if not, the descent has ended.
  [[nodiscard]] bool choose_code(std::uint32_t code);

 private:
  [[nodiscard]] std::uint64_t units_of(const DecisionDiagram& diagram, DecisionDiagram::NodeId node) const {
    return unit_ == Unit::groups ? diagram.groups(node) : diagram.tuples(node);
  }

  [[nodiscard]] std::uint64_t units_before(const DecisionDiagram::Arc& arc) const {
    return unit_ == Unit::groups ? arc.groups_before : arc.tuples_before;
  }
  void follow(const KeptGrid::Position& position, const DecisionDiagram::Arc& arc);

  const KeptGrid* grid_;
  Unit unit_;
  std::vector<DecisionDiagram::NodeId> nodes_;  ///< [diagram] after the choices so far
  std::uint64_t count_;
  std::uint64_t rank_ = 0;
  std::uint64_t point_ = 0;
  std::size_t position_ = 0;
};

/// The rank of the kept point with these codes, [axis of the sweep]; nothing if the filters reject it. Thread-safe.
[[nodiscard]] std::optional<std::uint64_t> rank_of(const KeptGrid& grid, std::span<const std::uint32_t> codes);

}  // namespace dfsweep
