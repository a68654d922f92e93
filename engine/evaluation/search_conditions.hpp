/// The conditions of a search over evaluated points: which feasible points are candidates.
#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/estimates.hpp"
#include "engine/evaluation/tally.hpp"
#include "engine/sweep/filter.hpp"

namespace dfsweep {

/// Metrics that the conditions of a search read, ascending; none without conditions.
[[nodiscard]] std::vector<MetricIndex> metrics_of_conditions(const SweepSpec& spec);

/// One condition, compiled. Holds the variables of its evaluation, so each thread needs its own.
class SearchCondition {
 public:
  /// Pre: read_sweep() accepted the condition; `spec` outlives the result.
  SearchCondition(const SweepSpec& spec, const Filter& condition);

  [[nodiscard]] const std::string& expression() const { return text_; }
  [[nodiscard]] const std::vector<MetricIndex>& metrics() const { return metrics_; }
  /// The condition as one comparison of a metric with a number, where it has that form.
  [[nodiscard]] const std::optional<FilterComparison>& comparison() const { return comparison_; }
  /// Clears `holds` at the ok points where the condition does not hold; at other points it may do so, too. A metric
  /// that does not apply makes every condition on it false. Pre: the metrics of the condition are wanted.
  void check(const PointColumns& points, const EstimateBuffer& estimates, std::span<std::uint8_t> holds);

 private:
  struct Variable {
    std::size_t variable = 0;     ///< of the expression
    std::size_t column = 0;       ///< MetricIndex, or code column of a parameter
    std::vector<double> numbers;  ///< [code]; empty for a metric of numbers
  };
  [[nodiscard]] bool has_all_metrics(const EstimateBuffer& estimates, std::size_t point) const;
  [[nodiscard]] bool holds_at(const PointColumns& points, const EstimateBuffer& estimates, std::size_t point);

  std::string text_;
  FilterExpression expression_;
  std::vector<MetricIndex> metrics_;  ///< ascending
  std::vector<Variable> of_metrics_;
  std::vector<Variable> of_parameters_;
  std::optional<FilterComparison> comparison_;  ///< `variable` is a MetricIndex
};

/// All conditions of a search.
class SearchConditions {
 public:
  /// Without a search there are no conditions.
  explicit SearchConditions(const SweepSpec& spec);

  /// Gives the ok points that violate a condition the status `limit_not_met`, also in `tally`, to which the points were
  /// added as ok.
  void apply(const PointBuffer& points, EstimateBuffer& estimates, Tally& tally);
  /// The conditions that do not hold at an ok point, each with the values of its metrics: "time < '1 s' (time 2.5 s)".
  /// `codes`: [code column], `metrics`: [MetricIndex].
  [[nodiscard]] std::vector<std::string> violated(std::span<const std::uint32_t> codes,
                                                  std::span<const double> metrics);

 private:
  const SweepSpec* spec_;
  std::vector<SearchCondition> conditions_;
  std::vector<std::uint8_t> holds_;  ///< [point] reused
};

}  // namespace dfsweep
