/// RowSource: how many points a sweep keeps and which point the k-th kept one is, without walking the grid.
///
/// Without a search the kept points are in grid order (or in the order of the lines of a point list) and each is one
/// group. With a search they are ordered by reported point and then by searched axes, so that the points of one
/// reported point, its *group*, are contiguous. A group exists where the filters keep at least one of its points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "engine/plan/grid_rows.hpp"
#include "engine/plan/list_rows.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

class RowSource {
 public:
  /// Pre: `spec` outlives the source. Throws UserError if a filter is malformed, the grid exceeds 2^64 points, or
  /// nothing is kept.
  explicit RowSource(const SweepSpec& spec);

  [[nodiscard]] std::uint64_t grid_size() const;  ///< points before filters
  [[nodiscard]] std::uint64_t kept() const;       ///< points after filters, over all groups
  [[nodiscard]] std::uint64_t groups() const;     ///< kept() without a search, else reported points
  [[nodiscard]] std::uint64_t largest_group() const;
  /// Index of the first kept point of a group; group_begin(groups()) == kept(). Pre: group <= groups().
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const;
  /// Fills `buffer` with kept points [first, first + count). Pre: first + count <= kept(). Thread-safe.
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;
  [[nodiscard]] const std::vector<FilterEffect>& filter_effects() const { return effects_; }

 private:
  std::vector<FilterEffect> effects_;  ///< filled while rows_ is made
  std::variant<GridRows, ListRows> rows_;
};

}  // namespace dfsweep
