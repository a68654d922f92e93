/// Search reduction: the best points of each group, independent of the order of evaluation.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluation/estimates.hpp"

namespace dfsweep {

/// Reduces the points of a contiguous range of groups. The ranking is a total order (value, then grid index), so adding
/// and merging are commutative.
class SearchReduction {
 public:
  /// Reduces groups [first_group, first_group + group_count). Pre: the plan has a search and outlives the reduction.
  SearchReduction(const Plan& plan, std::uint64_t first_group, std::uint64_t group_count);

  /// Adds the evaluated kept points [first_kept, first_kept + points.points.size()). A point is a candidate if its
  /// status is ok and the searched metric is not NaN. Pre: all points belong to these groups.
  void add(std::uint64_t first_kept, const PointBuffer& points, const EstimateBuffer& estimates);
  void merge(const SearchReduction& other);
  [[nodiscard]] const std::vector<GroupResult>& groups() const { return groups_; }
  [[nodiscard]] std::vector<GroupResult>& groups() { return groups_; }
  [[nodiscard]] std::uint64_t first_group() const { return first_group_; }

 private:
  const Plan* plan_;
  std::uint64_t first_group_;
  std::vector<GroupResult> groups_;
};

/// Merges `other` into `result`. Pre: both are of the same group and of disjoint sets of points.
void merge_groups(GroupResult& result, const GroupResult& other, const Search& search);

/// The group that contains a kept point. Pre: kept < rows.kept().
[[nodiscard]] std::uint64_t group_of(const RowSource& rows, std::uint64_t kept);
/// The same, if the group is known to be one of [first_group, first_group + group_count).
[[nodiscard]] std::uint64_t group_of(const RowSource& rows, std::uint64_t kept, std::uint64_t first_group,
                                     std::uint64_t group_count);

/// Evaluates the best points of the groups and fills all their metrics. Returns false, with metrics filled in part,
/// where one of them is not ok when all its metrics are wanted.
[[nodiscard]] bool fill_metrics(const Estimator& estimator, const PreparedSweep& prepared,
                                std::vector<GroupResult>& groups);

}  // namespace dfsweep
