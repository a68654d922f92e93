/// The rows of a sample: drawn points of a grid in grid order, or all points of drawn reported points of a search.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/grid_rows.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

class SampledPoints {
 public:
  /// Pre: a sample with a count, no search; `spec` outlives the rows. Throws UserError.
  SampledPoints(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  [[nodiscard]] std::uint64_t grid_size() const { return grid_size_; }
  [[nodiscard]] std::uint64_t population() const { return population_; }
  [[nodiscard]] std::uint64_t kept() const { return points_.size(); }
  [[nodiscard]] std::uint64_t groups() const { return points_.size(); }
  [[nodiscard]] std::uint64_t largest_group() const { return 1; }
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const { return group; }
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;

 private:
  const SweepSpec* spec_;
  std::uint64_t grid_size_ = 0;
  std::uint64_t population_ = 0;
  std::vector<std::uint64_t> points_;  ///< ascending
};

class SampledGroups {
 public:
  /// Pre: a sample with a count, and a search. Throws UserError.
  SampledGroups(const SweepSpec& spec, std::vector<FilterEffect>& effects);
  [[nodiscard]] std::uint64_t grid_size() const { return rows_.grid_size(); }
  [[nodiscard]] std::uint64_t population() const { return rows_.groups(); }
  [[nodiscard]] std::uint64_t kept() const { return begins_.back(); }
  [[nodiscard]] std::uint64_t groups() const { return groups_.size(); }
  [[nodiscard]] std::uint64_t largest_group() const { return largest_group_; }
  [[nodiscard]] std::uint64_t group_begin(std::uint64_t group) const { return begins_[group]; }
  void decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const;

 private:
  GridRows rows_;
  std::vector<std::uint64_t> groups_;  ///< drawn groups of `rows_`, ascending
  std::vector<std::uint64_t> begins_;  ///< [group] number of points of the groups before it; one more at the end
  std::uint64_t largest_group_ = 0;
};

}  // namespace dfsweep
