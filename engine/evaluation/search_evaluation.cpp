/// Points are excluded in the order of the points, which depends on the sweep only.
#include "engine/evaluation/search_evaluation.hpp"

#include <algorithm>
#include <functional>

#include "engine/evaluation/search_reduction.hpp"
#include "engine/sweep/statuses.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

/// Few enough that the first good points exclude many others, many enough that a call costs nothing.
constexpr std::size_t points_per_step = 128;

bool limits_from_above(const FilterComparison& comparison) {
  return comparison.sign == ComparisonSign::less || comparison.sign == ComparisonSign::less_or_equal;
}

/// Whether no number from `bound` on meets the comparison.
bool excludes(const FilterComparison& comparison, double bound) {
  return comparison.sign == ComparisonSign::less ? bound >= comparison.number : bound > comparison.number;
}

bool bounds_objective(const SweepSpec& spec) {
  return spec.search && spec.search->direction == Better::lower &&
         spec.estimator->gives_lower_bound(spec.search->metric, spec.values);
}

/// Resizes `estimates` to `count` points, with columns for the metrics that `like` has.
void resize_like(const EstimateBuffer& like, std::size_t count, EstimateBuffer& estimates) {
  if (estimates.status.size() < count) estimates.status.resize(count);
  estimates.metrics.resize(like.metrics.size());
  for (MetricIndex m = 0; m < like.metrics.size(); ++m) {
    if (like.metrics[m].empty()) {
      estimates.metrics[m].clear();
    } else if (estimates.metrics[m].size() < count) {
      estimates.metrics[m].resize(count);
    }
  }
}

}  // namespace

bool is_bounded(const SweepSpec& spec) {
  if (!spec.search) return false;
  const auto is_limited = [&](const Filter& condition) {
    const auto comparison = SearchCondition(spec, condition).comparison();
    return comparison && limits_from_above(*comparison) &&
           spec.estimator->gives_lower_bound(comparison->variable, spec.values);
  };
  return bounds_objective(spec) ||
         std::any_of(spec.search->conditions.begin(), spec.search->conditions.end(), is_limited);
}

SearchEvaluation::SearchEvaluation(const SweepSpec& spec, const RowSource& rows, const PreparedSweep& prepared)
    : spec_(&spec),
      rows_(&rows),
      prepared_(&prepared),
      conditions_(spec),
      has_objective_bound_(bounds_objective(spec)) {
  if (!spec.search) return;
  for (const Filter& condition : spec.search->conditions) {
    const auto comparison = SearchCondition(spec, condition).comparison();
    if (comparison && limits_from_above(*comparison) &&
        spec.estimator->gives_lower_bound(comparison->variable, spec.values))
      limited_.push_back({comparison->variable, *comparison});
  }
}

void SearchEvaluation::bound(const PointColumns& points) {
  is_excluded_.assign(points.count(), 0);
  bound_.resize(points.count());
  for (const LimitedMetric& limited : limited_) {
    prepared_->lower_bounds(limited.metric, points, bound_);
    for (std::size_t i = 0; i < bound_.size(); ++i)
      if (excludes(limited.comparison, bound_[i])) is_excluded_[i] = 1;
  }
  if (!has_objective_bound_) return;
  objective_.resize(points.count());
  prepared_->lower_bounds(spec_->search->metric, points, objective_);
}

void SearchEvaluation::evaluate_rest(std::size_t begin, std::size_t end, const PointBuffer& points,
                                     EstimateBuffer& estimates, Tally& tally, const Wanted& wanted) {
  places_.clear();
  for (std::size_t i = begin; i < end; ++i)
    if (is_excluded_[i] == 0) places_.push_back(i);
  rest_.points.clear();
  rest_.codes.resize(points.codes.size());
  for (const std::size_t i : places_) rest_.points.push_back(points.points[i]);
  for (std::size_t c = 0; c < points.codes.size(); ++c) {
    rest_.codes[c].clear();
    for (const std::size_t i : places_) rest_.codes[c].push_back(points.codes[c][i]);
  }
  rest_.columns.assign(rest_.codes.begin(), rest_.codes.end());
  evaluate_range(*spec_->estimator, *prepared_, rest_, rest_estimates_, tally, wanted);
  conditions_.apply(rest_, rest_estimates_, tally);
  resize_like(rest_estimates_, points.points.size(), estimates);
  for (std::size_t i = begin; i < end; ++i) estimates.status[i] = code_of(SearchStatus::bounded, *spec_->estimator);
  for (std::size_t k = 0; k < places_.size(); ++k) estimates.status[places_[k]] = rest_estimates_.status[k];
  for (MetricIndex m = 0; m < estimates.metrics.size(); ++m) {
    std::vector<double>& column = estimates.metrics[m];
    if (column.empty()) continue;
    std::fill(column.begin() + static_cast<std::ptrdiff_t>(begin), column.begin() + static_cast<std::ptrdiff_t>(end),
              absent);
    for (std::size_t k = 0; k < places_.size(); ++k) column[places_[k]] = rest_estimates_.metrics[m][k];
  }
  const std::vector<std::uint8_t> skipped(end - begin - places_.size(),
                                          code_of(SearchStatus::bounded, *spec_->estimator));
  tally.add_points(skipped);
}

void SearchEvaluation::keep_best(std::size_t begin, std::size_t end, const EstimateBuffer& estimates) {
  const std::vector<double>& values = estimates.metrics[spec_->search->metric];
  const SearchOrder order = order_of(*spec_->search);
  for (std::size_t i = begin; i < end; ++i) {
    if (estimates.status[i] != status_ok || !is_given(values[i])) continue;
    dfsweep::keep_best(best_, spec_->search->top, values[i], std::less(),
                       [&order](double value, double other) { return order.are_tied(value, other); });
  }
}

void SearchEvaluation::evaluate_group(std::size_t begin, std::size_t end, const PointBuffer& points,
                                      EstimateBuffer& estimates, Tally& tally, const Wanted& wanted) {
  best_.clear();
  for (std::size_t first = begin; first < end; first += points_per_step) {
    const std::size_t last = std::min(first + points_per_step, end);
    if (has_objective_bound_ && best_.size() == spec_->search->top)
      for (std::size_t i = first; i < last; ++i)
        if (objective_[i] > best_.back()) is_excluded_[i] = 1;  // an equal value may win by its lower point
    evaluate_rest(first, last, points, estimates, tally, wanted);
    if (has_objective_bound_) keep_best(first, last, estimates);
  }
}

void SearchEvaluation::evaluate(std::uint64_t first_kept, const PointBuffer& points, EstimateBuffer& estimates,
                                Tally& tally, const Wanted& wanted) {
  const std::size_t count = points.points.size();
  if (count == 0 || (!has_objective_bound_ && limited_.empty())) {
    evaluate_range(*spec_->estimator, *prepared_, points, estimates, tally, wanted);
    conditions_.apply(points, estimates, tally);
    return;
  }
  bound(points.view());
  std::uint64_t group = group_of(*rows_, first_kept);
  for (std::size_t begin = 0; begin < count; ++group) {
    const std::size_t end = std::min<std::uint64_t>(rows_->group_begin(group + 1) - first_kept, count);
    evaluate_group(begin, end, points, estimates, tally, wanted);
    begin = end;
  }
}

}  // namespace dfsweep
