/// Evaluation of blocks of points by the dataflow model.
#include "models/dataflow/estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/dataflow/combinations.hpp"
#include "models/dataflow/explain.hpp"
#include "models/dataflow/published.hpp"

namespace dfsweep {

namespace dataflow {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Codes of every parameter over the points of a block; a fixed parameter always reads the same 0.
class CodeColumns {
 public:
  CodeColumns(const SweepValues& values, const PointColumns& points) {
    for (ParameterIndex p = 0; p < parameter_count; ++p) {
      const std::size_t column = values.parameters[p].column;
      if (column == SweepValues::fixed) continue;
      first_[p] = points.column(column).data();
      stride_[p] = 1;
    }
  }
  [[nodiscard]] std::uint32_t code(ParameterIndex p, std::size_t i) const { return first_[p][i * stride_[p]]; }
  [[nodiscard]] Codes codes(std::size_t i) const {
    Codes result{};
    for (ParameterIndex p = 0; p < parameter_count; ++p) result[p] = code(p, i);
    return result;
  }

 private:
  static constexpr std::uint32_t zero_ = 0;
  std::array<const std::uint32_t*, parameter_count> first_ = filled();
  std::array<std::size_t, parameter_count> stride_{};

  static std::array<const std::uint32_t*, parameter_count> filled() {
    std::array<const std::uint32_t*, parameter_count> result{};
    result.fill(&zero_);
    return result;
  }
};

Status status_code(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return ok;
    case StepStatus::invalid:
      return invalid;
    case StepStatus::no_mapping:
      return no_mapping;
    case StepStatus::out_of_memory:
      return out_of_memory;
    case StepStatus::out_of_sram:
      return out_of_sram;
  }
  return failed;
}

void write_without_estimate(EstimateColumns& out, std::size_t i, Status status) {
  out.status[i] = status;
  for (const std::span<double>& column : out.metrics) column[i] = not_a_number;
}

void write_step(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& in, const Step& step) {
  out.status[i] = ok;
  const double achieved = step.flop / step.step_time;
  out.metrics[step_time][i] = step.step_time;
  out.metrics[utilization][i] = achieved / (at.layout->chips * in.copies * in.peak_flops);
  out.metrics[achieved_flops][i] = achieved;
  out.metrics[compute_time][i] = step.compute_time;
  out.metrics[memory_time][i] = step.memory_time;
  out.metrics[network_time][i] = step.network_time;
  out.metrics[bubble_time][i] = step.bubble_time;
  out.metrics[partitions_used][i] = at.mapped->partitions;
  out.metrics[memory_used][i] = step.memory_used;
  out.metrics[system_cost][i] = step.system_cost;
  out.metrics[system_power][i] = step.system_power;
  out.metrics[cost_efficiency][i] = step.system_cost > 0.0 ? achieved / step.system_cost : not_a_number;
  out.metrics[power_efficiency][i] = step.system_power > 0.0 ? achieved / step.system_power : not_a_number;
  out.metrics[optimality_gap][i] = at.mapped->optimality_gap;
}

void write_point(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& in,
                 std::vector<double>& scratch) {
  if (at.mapped == nullptr) {
    write_without_estimate(out, i, invalid);
    return;
  }
  if (scratch.size() < at.mapped->networks.size()) scratch.resize(at.mapped->networks.size());
  const Step step = step_of(*at.mapped, *at.workload, *at.layout, *at.convention, in, scratch);
  if (step.status == StepStatus::ok) {
    write_step(out, i, at, in, step);
    return;
  }
  write_without_estimate(out, i, status_code(step.status));
  if (step.status == StepStatus::out_of_memory || step.status == StepStatus::out_of_sram)
    out.metrics[memory_used][i] = step.memory_used;
}

class PreparedDataflow final : public PreparedSweep {
 public:
  explicit PreparedDataflow(const SweepValues& values)
      : values_(values),
        decoded_(decode_values(values)),
        model_(values, decoded_),
        tables_(CombinationTables::build(values, decoded_, model_)) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const CodeColumns columns(values_, points);
    CombinationMemo memo(model_);
    std::vector<double> scratch;
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Combination at = tables_ ? tables_->at(points, i) : memo.at(combination_codes(decoded_, columns.codes(i)));
      const StepInputs in = model_.inputs([&](Parameter p) { return columns.code(p, i); }, at.workload->global_batch);
      write_point(out, i, at, in, scratch);
    }
  }

  Explanation explain(const PointColumns& points) const override {
    return explain_point(model_, CodeColumns(values_, points).codes(0));
  }

 private:
  const SweepValues& values_;
  DecodedValues decoded_;
  PointModel model_;
  std::unique_ptr<const CombinationTables> tables_;  ///< null where the sweep has too many combinations
};

class DataflowEstimator final : public Estimator {
 public:
  std::string_view name() const override { return "dataflow"; }
  std::string_view meaning() const override {
    return "workload graphs mapped onto chips, memories and networks (DFModel)";
  }
  std::uint32_t version() const override { return 1; }
  std::span<const ParameterInfo> parameters() const override { return dataflow::parameters(); }
  std::span<const MetricInfo> metrics() const override { return dataflow::metrics(); }
  std::span<const StatusInfo> statuses() const override { return dataflow::statuses(); }

  double seconds_per_point(const SweepValues& values) const override {
    const auto some = [&values](Parameter p, auto holds) {
      return std::any_of(values.parameters[p].values.begin(), values.parameters[p].values.end(), holds);
    };
    const bool cycle_model = some(compute_utilization, [](const ParameterValue& v) { return v.number == 0.0; });
    if (exceeds_tables(values)) return cycle_model ? 1e-2 : 1e-3;
    return cycle_model ? 2e-6 : 1e-7;
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedDataflow>(values);
  }
};

}  // namespace
}  // namespace dataflow

std::unique_ptr<Estimator> make_dataflow_estimator() {
  return std::make_unique<dataflow::DataflowEstimator>();
}

}  // namespace dfsweep
