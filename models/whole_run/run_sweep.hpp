/// RunSweep: the parameters of the whole run in a sweep, and its metrics and statuses at points.
#pragma once

#include <optional>
#include <vector>

#include "models/cost/ownership_columns.hpp"
#include "models/estimator.hpp"
#include "models/whole_run/run_figures.hpp"

namespace dfsweep::whole_run {

/// Where an estimator put the rows of the whole run, and its own parameter that names the model.
struct RunPlaces {
  ParameterIndex first_parameter = 0;
  MetricIndex first_metric = 0;
  std::size_t first_status = 0;
  ParameterIndex model = 0;
};

/// Values of one sweep by code. Laws of N need a transformer whose sizes are complete; for other models they do not
/// apply.
class RunSweep {
 public:
  /// Pre: `values` outlives the object, and problems_of_run() found none.
  RunSweep(const SweepValues& values, const RunPlaces& places);

  [[nodiscard]] const RunPlaces& places() const { return places_; }
  [[nodiscard]] RunChoices choices_at(const PointColumns& points, std::size_t i) const;
  /// USD of a device of a system for an hour, as cost::device_hour_price().
  [[nodiscard]] double device_hour_price_at(const PointColumns& points, std::size_t i, const cost::OwnedSystem& system,
                                            double devices) const {
    return cost::device_hour_price(number(RunParameter::device_hour_price, points, i), system, ownership_at(points, i),
                                   devices);
  }
  /// Tokens of a sequence by the entry of the model; NaN where it has none.
  [[nodiscard]] double sequence_length_at(const PointColumns& points, std::size_t i) const {
    return sequence_lengths_[points.code(values_.parameters[places_.model], i)];
  }
  /// Whether some point has a law, tokens, a target, a budget, interruptions or saves.
  [[nodiscard]] bool is_asked() const { return is_asked_; }
  /// Whether some point has service years, over which the price of a system is spread.
  [[nodiscard]] bool has_service_years() const { return has_service_years_; }
  /// Whether points can have a status of the run.
  [[nodiscard]] bool may_reject() const { return may_reject_; }

 private:
  [[nodiscard]] const SweepValues::Parameter& parameter(RunParameter p) const {
    return values_.parameters[places_.first_parameter + index_of(p)];
  }
  [[nodiscard]] cost::OwnershipChoices ownership_at(const PointColumns& points, std::size_t i) const {
    return cost::ownership_choices<RunParameter>([&](RunParameter p) { return number(p, points, i); });
  }
  [[nodiscard]] double number(RunParameter p, const PointColumns& points, std::size_t i) const {
    return numbers_[p][points.code(parameter(p), i)];
  }

  const SweepValues& values_;
  RunPlaces places_;
  EnumArray<RunParameter, std::vector<double>> numbers_;  ///< [code]
  std::vector<std::optional<EntryLaw>> laws_;
  std::vector<std::optional<BatchLaw>> batch_laws_;
  std::vector<std::optional<Architecture>> models_;
  std::vector<double> sequence_lengths_;  ///< [code of the model]
  bool is_asked_ = false;
  bool may_reject_ = false;
  bool has_service_years_ = false;
};

/// What is wrong with the values, each with its place: laws that cannot be read, tokens beside a budget, a spare share
/// of 0. Some parameters may have no values.
[[nodiscard]] std::vector<ValueProblem> problems_of_run(const SweepValues& values, const RunPlaces& places);

/// Whether a metric of the run can have a value at some point: what it needs is given. Some parameters may have no
/// values.
[[nodiscard]] bool run_metric_applies(RunMetric metric, const SweepValues& values, const RunPlaces& places);

/// Whether a metric of the estimator, of the run or not, can have a value as far as the run decides.
[[nodiscard]] inline bool applies_to_run(MetricIndex metric, const SweepValues& values, const RunPlaces& places) {
  return metric < places.first_metric ||
         run_metric_applies(static_cast<RunMetric>(metric - places.first_metric), values, places);
}

/// Writes metrics and statuses of the run for a block of points; made once for a block.
class RunColumns {
 public:
  /// Pre: all outlive the object, of `points` the codes.
  RunColumns(const RunSweep& sweep, const PointColumns& points, EstimateColumns& out);

  /// Whether write() would do anything: otherwise the estimator need not know the step.
  [[nodiscard]] bool is_needed() const { return is_needed_; }
  /// Whether write() reads power and price of the step.
  [[nodiscard]] bool wants_power() const { return wants_power_; }
  /// The status and the metrics of the run at point `i`. Where the run is impossible, the status of `out` becomes that
  /// of the run and all its metrics are NaN. Pre: the status of the point is ok, or one at which they are valid.
  void write(std::size_t i, const RunStep& step) const;
  /// No metric of the run applies at point `i`.
  void write_none(std::size_t i) const;
  /// The same at all points: write_none(i) for every i at once.
  void write_none() const;

 private:
  [[nodiscard]] std::span<double> column(RunMetric metric) const {
    return out_.metrics[sweep_.places().first_metric + index_of(metric)];
  }
  /// Whether some metric from `first` to `last` is wanted.
  [[nodiscard]] bool wants_any(RunMetric first, RunMetric last) const;

  const RunSweep& sweep_;
  PointColumns points_;
  EstimateColumns& out_;
  std::vector<RunMetric> wanted_;
  RunDemand demand_;
  bool is_needed_ = false;
  bool wants_power_ = false;
};

/// The section "whole run" of an explanation and, where there is no such run, the reason.
struct RunExplanation {
  std::optional<RunStatus> status;
  std::string reason;
  std::optional<Explanation> section;  ///< nothing where nothing is asked of the run
};
[[nodiscard]] RunExplanation explain_run(const RunSweep& sweep, const PointColumns& points, const RunStep& step);

}  // namespace dfsweep::whole_run
