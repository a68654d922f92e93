/// GridRows: the kept points of a grid, counted and found by decision diagrams of the filtered axes.
///
/// Axes are put into evaluation order: reported axes, then searched ones, each in grid order. Filters that share axes
/// are intersected to one diagram; diagrams and the axes of no filter are independent of each other, so that counts
/// multiply. Trailing axes of no filter (the *tail*) repeat the same codes after every choice of the others.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/decision_diagram.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

class GridRows {
 public:
  /// Throws UserError. Pre: no point list.
  GridRows(const SweepSpec& spec, std::vector<FilterEffect>& effects);

  [[nodiscard]] std::uint64_t grid_size() const { return grid_size_; }
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  [[nodiscard]] std::uint64_t groups() const { return groups_; }
  [[nodiscard]] std::uint64_t largest_group() const { return largest_group_; }
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const;
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// One axis in evaluation order.
  struct Position {
    std::size_t axis = 0;  ///< of the sweep
    std::uint32_t size = 0;
    std::uint64_t stride = 0;     ///< of its codes in the index of a point
    std::size_t diagram = none;   ///< into diagrams_
    std::size_t previous = none;  ///< position of the level before in the same diagram
  };
  class Walk;

  void order_axes(const SweepSpec& spec);
  void apply_filters(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  void connect_positions();
  [[nodiscard]] std::uint64_t count_kept() const;
  void fill_tail(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;
  void fill_points(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;

  std::vector<Position> positions_;
  std::vector<DecisionDiagram> diagrams_;
  std::size_t searched_begin_ = 0;  ///< first searched position; without a search the number of positions
  std::size_t tail_begin_ = 0;
  std::uint64_t tail_size_ = 1;
  bool has_search_ = false;
  std::uint64_t grid_size_ = 1;
  std::uint64_t kept_ = 0;
  std::uint64_t groups_ = 0;
  std::uint64_t largest_group_ = 1;
};

}  // namespace dfsweep
