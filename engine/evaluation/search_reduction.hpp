/// Search reduction: the best points of each group, whatever the order in which its points are seen.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluation/estimates.hpp"

namespace dfsweep {

/// Reduces the points of a contiguous range of groups. The order of the best is total (value, then grid index), so that
/// parts of a group may be added and merged in any order and give the same result.
class SearchReduction {
 public:
  /// For groups [first_group, first_group + group_count). Pre: the plan has a search and outlives the reduction.
  SearchReduction(const Plan& plan, std::uint64_t first_group, std::uint64_t group_count);

  /// Adds evaluated points: kept points [first_kept, first_kept + points.points.size()), all within these groups.
  /// Feasible is: status ok and a searched metric that is a number.
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

/// Merges `other` into `result`: two results of disjoint sets of points of one group.
void merge_groups(GroupResult& result, const GroupResult& other, const Search& search);

/// The group that contains a kept point. Pre: kept < rows.kept().
[[nodiscard]] std::uint64_t group_of(const RowSource& rows, std::uint64_t kept);

/// Evaluates the best points of the groups and fills all their metrics. Returns false, with metrics filled in part,
/// where one of them is not ok when all its metrics are wanted.
[[nodiscard]] bool fill_metrics(const Estimator& estimator, const PreparedSweep& prepared,
                                std::vector<GroupResult>& groups);

}  // namespace dfsweep
