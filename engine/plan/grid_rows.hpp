/// GridRows: the kept points of a grid, by decision diagrams of the filtered axes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/endings.hpp"
#include "engine/plan/kept_grid.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Fills `buffer` with kept points [first, first + count). `endings`: those of the grid, or none. Thread-safe.
/// Pre: first + count <= grid.kept.
void decode_kept(const KeptGrid& grid, const Endings& endings, std::uint64_t first, std::size_t count,
                 PointBuffer& buffer);

class GridRows {
 public:
  /// Points of a search are grouped by the axes that it reports. Throws UserError. Pre: no point list.
  GridRows(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  /// Points are grouped by the values of the axes other than `inner`; if it is empty, each point is a group.
  GridRows(const SweepSpec& spec, const std::vector<std::size_t>& inner, std::vector<FilterEffect>& effects);

  [[nodiscard]] std::uint64_t grid_size() const { return grid_size_; }
  [[nodiscard]] std::uint64_t kept() const { return grid_.kept; }
  [[nodiscard]] std::uint64_t groups() const { return groups_; }
  [[nodiscard]] std::uint64_t population() const { return groups(); }
  [[nodiscard]] std::uint64_t largest_group() const { return largest_group_; }
  [[nodiscard]] const KeptGrid& grid() const { return grid_; }
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const;
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
    decode_kept(grid_, endings_, first, count, buffer);
  }

 private:
  void order_axes(const SweepSpec& spec, const std::vector<std::size_t>& inner);
  void apply_filters(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  void connect_positions();
  [[nodiscard]] std::uint64_t count_kept() const;

  KeptGrid grid_;
  Endings endings_;
  std::uint64_t grid_size_ = 1;
  std::uint64_t groups_ = 0;
  std::uint64_t largest_group_ = 1;
};

}  // namespace dfsweep
