/// Evaluation of blocks of points by task graphs.
#include "models/taskgraph/estimator.hpp"

#include <algorithm>

#include "models/cost/bill_explanation.hpp"
#include "models/prepared/lazy_cells.hpp"
#include "models/prepared/subspace.hpp"
#include "models/taskgraph/points/device_bill.hpp"
#include "models/taskgraph/points/explain.hpp"
#include "models/taskgraph/points/metric_columns.hpp"

namespace dfsweep::taskgraph {

namespace {

/// Maximum number of cached crossovers.
constexpr std::uint64_t most_kept = 1U << 20U;

/// Parameters that a crossover depends on: all except the sequence length.
std::vector<Parameter> crossover_parameters() {
  std::vector<Parameter> all(all_of<Parameter>.begin(), all_of<Parameter>.end());
  std::erase(all, Parameter::sequence_length);
  return all;
}

class PreparedTaskGraph final : public PreparedSweep {
 public:
  explicit PreparedTaskGraph(const SweepValues& values)
      : values_(values),
        tables_(values),
        decoded_(decode_values(values, tables_.errors())),
        combinations_(values, crossover_parameters()),
        crossovers_(combinations_.size() <= most_kept ? combinations_.size() : 0) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const CodeColumns codes(values_, points);
    PointScratch scratch(decoded_, tables_);
    clear_metrics(out, points.count());
    const bool has_costs = wants_costs(out);
    for (std::size_t i = 0; i < points.count(); ++i) {
      const PointQuestion question = question_at(
          decoded_, [&](Parameter p) { return codes.code(p, i); }, scratch);
      const StepEstimate estimate = estimate_of(question);
      write_point(out, i, question, estimate, [&] { return crossover(points, i, question); });
      if (has_costs && out.status[i] == status_ok)
        write_costs(out, i, question, estimate, bill_and_ownership([&](Parameter p) { return codes.code(p, i); }));
    }
  }

  std::span<const DataProblem> warnings() const override { return tables_.warnings(); }

  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const CodeColumns codes(values_, points);
    PointScratch scratch(decoded_, tables_);
    const PointQuestion question = question_at(
        decoded_, [&](Parameter p) { return codes.code(p, 0); }, scratch);
    Explanation all = explain_point(question);
    all.sections.push_back(cost::bill_section(bill_at(decoded_, [&](Parameter p) { return codes.code(p, 0); })));
    return all;
  }

 private:
  template <class CodeOf>
  [[nodiscard]] DeviceCosts bill_and_ownership(const CodeOf& code) const {
    const auto number = [&](Parameter p) { return decoded_.numbers[p][code(p)]; };
    return {bill_at(decoded_, code), cost::ownership_choices<Parameter>(number)};
  }
  Crossover crossover(const PointColumns& points, std::size_t i, const PointQuestion& question) const {
    const auto compute = [&] { return crossover_of(question); };
    if (crossovers_.size() == 0) return compute();
    Crossover own;
    return crossovers_.get(combinations_.index(points, i), own, compute);
  }

  const SweepValues& values_;
  MeasuredTables tables_;
  TaskGraphValues decoded_;
  Subspace combinations_;
  LazyCells<Crossover> crossovers_;
};

// Orders of magnitude on one core of 2020; they determine the sizes of blocks.
constexpr double seconds_of_point = 5e-7;
constexpr double seconds_of_task = 2e-8;  ///< per task of a given graph

bool some_value(const SweepValues& values, Parameter p, bool (*holds)(const ParameterValue&)) {
  return std::any_of(values[p].values.begin(), values[p].values.end(), holds);
}

class TaskGraphEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override {
    return "tasks on groups of devices: tensor and pipeline parallelism, attention pool, layers in caches, user graphs";
  }
  std::uint32_t version() const override { return 3; }
  std::span<const ParameterInfo> parameters() const override { return taskgraph::parameters(); }
  std::span<const MetricInfo> metrics() const override { return taskgraph::metrics(); }
  ResultViews views() const override { return taskgraph::views(); }
  std::span<const StatusInfo> statuses() const override { return taskgraph::statuses(); }
  std::span<const DataInfo> data() const override { return taskgraph::data(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }

  double seconds_per_point(const SweepValues& values) const override {
    double seconds = seconds_of_point;
    for (const ParameterValue& strategy : values[Parameter::strategy].values)
      if (strategy.entry != nullptr)
        if (const auto tasks = strategy.entry->parts.find("task"); tasks != strategy.entry->parts.end())
          seconds = std::max(seconds, seconds_of_task * static_cast<double>(tasks->second.size()));
    if (!some_value(values, Parameter::pool_devices, [](const ParameterValue& v) { return v.is_best(); }))
      return seconds;
    double most = 1.0;
    for (const ParameterValue& value : values[Parameter::most_pool_devices].values) most = std::max(most, value.number);
    return most * seconds;
  }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    return metric < index_of(Metric::ownership) || cost::asks_ownership<Parameter>(values);
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_values(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedTaskGraph>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_taskgraph_estimator() {
  return std::make_unique<TaskGraphEstimator>();
}

}  // namespace dfsweep::taskgraph
