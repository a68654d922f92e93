/// Keeping the `top` best candidates of a group in a total order.
#include "engine/evaluation/search_reduction.hpp"

#include <algorithm>

#include "models/absent.hpp"

namespace dfsweep {
namespace {

/// Does a point with this value come before a candidate?
bool comes_before(const Search& search, double value, std::uint64_t point, const Candidate& candidate) {
  if (value != candidate.value)
    return search.direction == Better::higher ? value > candidate.value : value < candidate.value;
  return point < candidate.point;
}

/// Where a point belongs among the best, or best.end() where it does not: `top` are kept.
std::vector<Candidate>::iterator place(std::vector<Candidate>& best, const Search& search, double value,
                                       std::uint64_t point) {
  if (best.size() == search.top && !comes_before(search, value, point, best.back())) return best.end();
  return std::partition_point(best.begin(), best.end(), [&](const Candidate& candidate) {
    return !comes_before(search, value, point, candidate);
  });
}

void insert(std::vector<Candidate>& best, const Search& search, Candidate candidate) {
  const auto where = place(best, search, candidate.value, candidate.point);
  if (where == best.end() && best.size() == search.top) return;
  best.insert(where, std::move(candidate));
  if (best.size() > search.top) best.pop_back();
}

Candidate candidate_at(const PointBuffer& points, const EstimateBuffer& estimates, MetricIndex metric, std::size_t i) {
  Candidate candidate{.value = estimates.metrics[metric][i], .point = points.points[i], .codes = {}, .metrics = {}};
  for (const auto& column : points.codes) candidate.codes.push_back(column[i]);
  for (const auto& column : estimates.metrics) candidate.metrics.push_back(column.empty() ? absent : column[i]);
  return candidate;
}

void add_point(GroupResult& group, const Search& search, const PointBuffer& points, const EstimateBuffer& estimates,
               std::size_t i) {
  ++group.rejections[estimates.status[i]];
  if (points.points[i] < group.first_point) {
    group.first_point = points.points[i];
    group.reported.clear();
    for (const auto& column : points.codes) group.reported.push_back(column[i]);
  }
  const double value = estimates.metrics[search.metric][i];
  if (estimates.status[i] != status_ok || !is_given(value)) return;
  const bool is_full = group.best.size() == search.top;
  if (is_full && !comes_before(search, value, points.points[i], group.best.back())) return;
  insert(group.best, search, candidate_at(points, estimates, search.metric, i));
}

}  // namespace

std::uint64_t group_of(const RowSource& rows, std::uint64_t kept) {
  std::uint64_t low = 0;  // group_begin(low) <= kept < group_begin(high)
  std::uint64_t high = rows.groups();
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (rows.group_begin(middle) <= kept ? low : high) = middle;
  }
  return low;
}

SearchReduction::SearchReduction(const Plan& plan, std::uint64_t first_group, std::uint64_t group_count)
    : plan_(&plan), first_group_(first_group), groups_(group_count) {
  DFSWEEP_EXPECT(plan.spec().search.has_value());
  for (GroupResult& group : groups_) group.rejections.resize(plan.spec().estimator->statuses().size());
}

void SearchReduction::add(std::uint64_t first_kept, const PointBuffer& points, const EstimateBuffer& estimates) {
  const std::size_t count = points.points.size();
  if (count == 0) return;
  const RowSource& rows = plan_->rows();
  std::uint64_t group = group_of(rows, first_kept);
  for (std::size_t i = 0; i < count; ++group) {
    const std::size_t end = std::min<std::uint64_t>(rows.group_begin(group + 1) - first_kept, count);
    DFSWEEP_EXPECT(group >= first_group_ && group - first_group_ < groups_.size() && end > i);
    for (; i < end; ++i) add_point(groups_[group - first_group_], *plan_->spec().search, points, estimates, i);
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
