/// ListRows: the lines of a point list that the filters keep.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

class ListRows {
 public:
  /// Pre: spec.points; `spec` outlives the rows. Throws UserError.
  ListRows(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  [[nodiscard]] std::uint64_t grid_size() const { return spec_->points->lines; }
  [[nodiscard]] std::uint64_t kept() const { return all_kept_ ? grid_size() : kept_lines_.size(); }
  /// A point list has no search, so every kept line is one group.
  [[nodiscard]] std::uint64_t groups() const { return kept(); }
  [[nodiscard]] std::uint64_t population() const { return groups(); }
  [[nodiscard]] std::uint64_t largest_group() const { return 1; }
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const { return group; }
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;

 private:
  const SweepSpec* spec_;
  bool all_kept_ = true;
  std::vector<std::uint64_t> kept_lines_;
};

}  // namespace dfsweep
