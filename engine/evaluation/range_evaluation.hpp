/// Range evaluation: calls the estimator, turns exceptions into points with status `failed`, and checks the results.
#pragma once

#include "engine/evaluation/estimates.hpp"
#include "engine/evaluation/tally.hpp"

namespace dfsweep {

/// Which estimates are needed.
struct Wanted {
  std::vector<MetricIndex> metrics = {};  ///< ascending; empty: all
  WantedRows rows = WantedRows::all;
};

/// The metrics that a sweep needs: those that are written, or in a search the searched metric and those of its
/// conditions at feasible points. All metrics if the estimator cannot omit any.
[[nodiscard]] Wanted wanted_of(const SweepSpec& spec, const PreparedSweep& prepared);

/// Gives `estimates` room for `count` points: the status and a column for every wanted metric.
void resize_estimates(const Estimator& estimator, const Wanted& wanted, std::size_t count, EstimateBuffer& estimates);

/// Fills `estimates` (resized to at least the number of points) and adds the points to `tally`.
///
/// If the estimator throws, bisection finds the points that throw: they get status `failed` and NaN metrics, the others
/// are unaffected. A point also becomes `failed` if its metrics violate the declared validity: an undeclared status, a
/// NaN that is not allowed, or a number for a status without that metric. std::bad_alloc is rethrown, because it is not
/// a property of a point. Only `wanted` metrics are filled and checked. Pre: `wanted` is everything, or the estimator
/// can omit metrics.
void evaluate_range(const Estimator& estimator, const PreparedSweep& prepared, const PointBuffer& points,
                    EstimateBuffer& estimates, Tally& tally, const Wanted& wanted = {});

}  // namespace dfsweep
