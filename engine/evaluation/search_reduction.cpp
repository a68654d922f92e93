/// Keeping the `top` best candidates of a group in a total order.
#include "engine/evaluation/search_reduction.hpp"

#include <algorithm>

#include "engine/sweep/statuses.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

void insert(std::vector<Candidate>& best, const Search& search, Candidate candidate) {
  const SearchOrder order = order_of(search);
  keep_best(
      best, search.top, std::move(candidate),
      [&order](const Candidate& one, const Candidate& other) {
        return order.comes_before(one.value, one.point, other.value, other.point);
      },
      [&order](const Candidate& one, const Candidate& other) { return order.are_tied(one.value, other.value); });
}

Candidate candidate_at(const PointBuffer& points, const EstimateBuffer& estimates, MetricIndex metric, std::size_t i) {
  Candidate candidate{.value = estimates.metrics[metric][i], .point = points.points[i], .codes = {}, .metrics = {}};
  for (const auto& column : points.codes) candidate.codes.push_back(column[i]);
  for (const auto& column : estimates.metrics) candidate.metrics.push_back(column.empty() ? absent : column[i]);
  return candidate;
}

/// Feasible points of [begin, end) that are among the `top` best of [begin, end) and `best` together, best first.
std::vector<std::size_t> best_places(const std::vector<Candidate>& best, const Search& search,
                                     const PointBuffer& points, const EstimateBuffer& estimates, std::size_t begin,
                                     std::size_t end) {
  const std::uint8_t* const status = estimates.status.data();
  const double* const values = estimates.metrics[search.metric].data();
  const SearchOrder order = order_of(search);
  const auto is_better = [&](std::size_t i, std::size_t than) {
    return order.comes_before(values[i], points.points[i], values[than], points.points[than]);
  };
  const auto are_tied = [&](std::size_t i, std::size_t j) { return order.are_tied(values[i], values[j]); };
  const bool is_full = best.size() == search.top;
  std::vector<std::size_t> places;
  for (std::size_t i = begin; i < end; ++i) {
    if (status[i] != status_ok || !is_given(values[i])) continue;
    if (is_full && !order.comes_before(values[i], points.points[i], best.back().value, best.back().point)) continue;
    keep_best(places, search.top, i, is_better, are_tied);
  }
  return places;
}

/// Adds points [begin, end) to their group.
void add_points(GroupResult& group, const Search& search, const PointBuffer& points, const EstimateBuffer& estimates,
                std::size_t begin, std::size_t end) {
  std::uint64_t* const rejections = group.rejections.data();
  for (std::size_t i = begin; i < end; ++i) ++rejections[estimates.status[i]];
  const std::uint64_t* const indices = points.points.data();
  const auto first = static_cast<std::size_t>(std::min_element(indices + begin, indices + end) - indices);
  if (indices[first] < group.first_point) {
    group.first_point = indices[first];
    group.reported.clear();
    for (const auto& column : points.codes) group.reported.push_back(column[first]);
  }
  for (const std::size_t i : best_places(group.best, search, points, estimates, begin, end))
    insert(group.best, search, candidate_at(points, estimates, search.metric, i));
}

}  // namespace

std::uint64_t group_of(const RowSource& rows, std::uint64_t kept) {
  return group_of(rows, kept, 0, rows.groups());
}

std::uint64_t group_of(const RowSource& rows, std::uint64_t kept, std::uint64_t first_group,
                       std::uint64_t group_count) {
  std::uint64_t low = first_group;  // group_begin(low) <= kept < group_begin(high)
  std::uint64_t high = first_group + group_count;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (rows.group_begin(middle) <= kept ? low : high) = middle;
  }
  return low;
}

SearchReduction::SearchReduction(const Plan& plan, std::uint64_t first_group, std::uint64_t group_count)
    : plan_(&plan), first_group_(first_group), groups_(group_count) {
  DFSWEEP_EXPECT(plan.spec().search.has_value());
  for (GroupResult& group : groups_) group.rejections.resize(statuses_of(plan.spec()).size());
}

void SearchReduction::add(std::uint64_t first_kept, const PointBuffer& points, const EstimateBuffer& estimates) {
  const std::size_t count = points.points.size();
  if (count == 0) return;
  const RowSource& rows = plan_->rows();
  std::uint64_t group = group_of(rows, first_kept, first_group_, groups_.size());
  for (std::size_t i = 0; i < count; ++group) {
    const std::size_t end = std::min<std::uint64_t>(rows.group_begin(group + 1) - first_kept, count);
    DFSWEEP_EXPECT(group >= first_group_ && group - first_group_ < groups_.size() && end > i);
    add_points(groups_[group - first_group_], *plan_->spec().search, points, estimates, i, end);
    i = end;
  }
}

void SearchReduction::merge(const SearchReduction& other) {
  DFSWEEP_EXPECT(other.first_group_ >= first_group_);
  const std::uint64_t offset = other.first_group_ - first_group_;
  DFSWEEP_EXPECT(offset + other.groups_.size() <= groups_.size());
  for (std::size_t g = 0; g < other.groups_.size(); ++g)
    merge_groups(groups_[offset + g], other.groups_[g], *plan_->spec().search);
}

void merge_groups(GroupResult& result, const GroupResult& other, const Search& search) {
  result.rejections.resize(std::max(result.rejections.size(), other.rejections.size()));
  for (std::size_t s = 0; s < other.rejections.size(); ++s) result.rejections[s] += other.rejections[s];
  if (other.first_point < result.first_point) {
    result.first_point = other.first_point;
    result.reported = other.reported;
  }
  for (const Candidate& candidate : other.best) insert(result.best, search, candidate);
}

}  // namespace dfsweep
