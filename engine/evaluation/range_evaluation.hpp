/// Range evaluation: one call of the estimator, made safe: points that throw become `failed`, and what it claims is
/// checked.
#pragma once

#include "engine/evaluation/estimates.hpp"
#include "engine/evaluation/tally.hpp"

namespace dfsweep {

/// What of the estimates of points is read.
struct Wanted {
  std::vector<MetricIndex> metrics = {};  ///< ascending; empty: all
  WantedRows rows = WantedRows::all;
};

/// What the rows of a sweep are made of: the metrics that are written, or in a search the searched one of feasible
/// points. All, where the estimator does not leave out what is not wanted.
[[nodiscard]] Wanted wanted_of(const SweepSpec& spec, const PreparedSweep& prepared);

/// Fills `estimates` (grown to the number of points; longer ones stay longer) and adds the points to `tally`.
///
/// Where the estimator throws, the range is halved until the points that throw are alone: they get status `failed` and
/// NaN metrics, the others are unaffected. So does a point whose metrics contradict the estimator's tables: a NaN that
/// they do not allow, a number where they promise none, a status that they do not have. Running out of memory is not a
/// property of a point and is thrown on. Only what is `wanted` is filled and checked. Pre: all is, or the estimator
/// leaves out what is not.
void evaluate_range(const Estimator& estimator, const PreparedSweep& prepared, const PointBuffer& points,
                    EstimateBuffer& estimates, Tally& tally, const Wanted& wanted = {});

}  // namespace dfsweep
