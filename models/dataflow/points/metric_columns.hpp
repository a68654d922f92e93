/// MetricColumns: status and metrics of points, written from their steps to the columns that are read.
#pragma once

#include <optional>
#include <vector>

#include "models/dataflow/cost/step.hpp"
#include "models/dataflow/points/combinations.hpp"
#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

class MetricColumns {
 public:
  /// Pre: `out` outlives the object.
  explicit MetricColumns(EstimateColumns& out);

  /// Whether some metric of price or power is read.
  [[nodiscard]] bool wants_costs() const { return wants_costs_; }
  void set(std::size_t i, Metric metric, double value) const {
    if (double* const column = columns_[metric]) column[i] = value;
  }
  [[nodiscard]] Status status(std::size_t i) const { return static_cast<Status>(out_.status[i]); }

  /// All metrics of point `i` are absent, those of the whole run too.
  void write_without_estimate(std::size_t i, Status status) const;
  /// Status and metrics of point `i`, but those of choices and of the whole run. `costs`: of the step, where it has the
  /// status ok and they are needed. `tokens`: of a step; NaN where the workload has none.
  void write(std::size_t i, const Combination& at, const StepInputs& inputs, const Step& step,
             const std::optional<StepCosts>& costs, double tokens) const;

 private:
  void write_step(std::size_t i, const Combination& at, const StepInputs& inputs, const Step& step) const;
  void write_costs(std::size_t i, const Combination& at, const StepInputs& inputs, const Step& step,
                   const StepCosts& costs, double tokens) const;

  EstimateColumns& out_;
  EnumArray<Metric, double*> columns_{};  ///< null where the metric is not read
  std::vector<double*> all_;              ///< those that are read, of the whole run too
  bool wants_costs_ = false;
};

}  // namespace dfsweep::dataflow
