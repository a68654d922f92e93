/// RowSource: the number of kept points of a sweep, and the k-th kept point, without enumeration of the grid.
///
/// Without a search, kept points are in grid order (or in the order of lines of a point list) and each is a group. With
/// a search, they are ordered by reported point, then by searched axes; the points of one reported point are contiguous
/// and form its *group*. Groups without kept points do not exist. With a sample, only the drawn points are kept, or the
/// points of the drawn groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "engine/plan/grid_rows.hpp"
#include "engine/plan/list_rows.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/plan/sampled_rows.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

class RowSource {
 public:
  /// Pre: `spec` outlives the source. Throws UserError if a filter is malformed, the grid has 2^64 or more points, no
  /// point is kept, or fewer than a sample needs.
  explicit RowSource(const SweepSpec& spec);

  [[nodiscard]] std::uint64_t grid_size() const;   ///< points before filters
  [[nodiscard]] std::uint64_t population() const;  ///< groups() before a sample is drawn
  [[nodiscard]] std::uint64_t kept() const;        ///< points after filters, over all groups
  [[nodiscard]] std::uint64_t groups() const;      ///< number of reported points; kept() without a search
  [[nodiscard]] std::uint64_t largest_group() const;
  /// Index of the first kept point of a group; group_begin(groups()) == kept(). Pre: group <= groups().
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const;
  /// Fills `buffer` with kept points [first, first + count). Pre: first + count <= kept(). Thread-safe.
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;
  [[nodiscard]] const std::vector<FilterEffect>& filter_effects() const { return effects_; }

 private:
  std::vector<FilterEffect> effects_;  ///< filled while rows_ is made
  std::variant<GridRows, ListRows, SampledPoints, SampledGroups> rows_;
};

}  // namespace dfsweep
