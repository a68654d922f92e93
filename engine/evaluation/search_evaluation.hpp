/// Evaluation of points as a run does it: in a search with its conditions, and without the points that bounds exclude.
#pragma once

#include <vector>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/evaluation/search_conditions.hpp"

namespace dfsweep {

/// Whether the estimator bounds the metric that a search minimizes, or one that a condition limits from above.
[[nodiscard]] bool is_bounded(const SweepSpec& spec);

/// Holds buffers and compiled conditions, so each thread needs its own.
class SearchEvaluation {
 public:
  /// Pre: all arguments outlive the result.
  SearchEvaluation(const SweepSpec& spec, const RowSource& rows, const PreparedSweep& prepared);

  /// Evaluates the kept points [first_kept, first_kept + points.points.size()) as evaluate_range(). Ok points that
  /// violate a condition get status `limit_not_met`. Points get status `bounded`, and no metrics, if a lower bound
  /// violates a condition, or exceeds the values of the `top` best earlier points of their group in this range: none of
  /// them can be among the best. So the counts depend on the ranges, but the best points do not.
  void evaluate(std::uint64_t first_kept, const PointBuffer& points, EstimateBuffer& estimates, Tally& tally,
                const Wanted& wanted);

 private:
  struct LimitedMetric {
    MetricIndex metric = 0;
    FilterComparison comparison;
  };
  /// Sets `is_excluded_` where a bound violates a condition, and `objective_`.
  void bound(const PointColumns& points);
  /// Evaluates points of one group: in steps, so that each step is compared with the best before it.
  void evaluate_group(std::size_t begin, std::size_t end, const PointBuffer& points, EstimateBuffer& estimates,
                      Tally& tally, const Wanted& wanted);
  /// The points of [begin, end) that are not excluded, evaluated and copied to `estimates`.
  void evaluate_rest(std::size_t begin, std::size_t end, const PointBuffer& points, EstimateBuffer& estimates,
                     Tally& tally, const Wanted& wanted);
  /// Adds the candidates of [begin, end) to `best_`.
  void keep_best(std::size_t begin, std::size_t end, const EstimateBuffer& estimates);

  const SweepSpec* spec_;
  const RowSource* rows_;
  const PreparedSweep* prepared_;
  SearchConditions conditions_;
  std::vector<LimitedMetric> limited_;
  bool has_objective_bound_ = false;
  std::vector<double> objective_;          ///< [point] lower bound of the searched metric
  std::vector<double> bound_;              ///< [point] reused
  std::vector<std::uint8_t> is_excluded_;  ///< [point]
  std::vector<double> best_;  ///< the `top` lowest values of the current group, lowest first, of ties one if so asked
  PointBuffer rest_;
  std::vector<std::size_t> places_;  ///< of the points of `rest_`
  EstimateBuffer rest_estimates_;
};

}  // namespace dfsweep
