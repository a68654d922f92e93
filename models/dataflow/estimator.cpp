/// Evaluation of blocks of points by the dataflow model.
#include "models/dataflow/estimator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/absent.hpp"
#include "models/dataflow/explain/explain.hpp"
#include "models/dataflow/explain/reason.hpp"
#include "models/dataflow/points/choice.hpp"
#include "models/dataflow/points/combinations.hpp"
#include "models/dataflow/points/first_uses.hpp"
#include "models/dataflow/points/metric_columns.hpp"
#include "models/dataflow/points/published.hpp"
#include "models/short_number.hpp"

namespace dfsweep::dataflow {

namespace {

class PreparedDataflow final : public PreparedSweep {
 public:
  explicit PreparedDataflow(const SweepValues& values)
      : sweep_(with_candidates(values)),
        decoded_(decode_values(sweep_.values)),
        model_(sweep_.values, decoded_),
        runs_(sweep_.values, run_places),
        tables_(CombinationTables::build(sweep_.values, decoded_, model_)) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    CombinationSource source(sweep_.values, decoded_, model_, tables_.get());
    const MetricColumns metrics(out);
    std::vector<NetworkTime> scratch;
    if (sweep_.searched.empty()) {
      const CodeColumns columns(sweep_.values, points);
      const whole_run::RunColumns run(runs_, points, out);
      if (!run.is_needed()) run.write_none();
      const Block block{points, columns, metrics, run};
      for (std::size_t i = 0; i < points.count(); ++i) evaluate_point(block, i, source, scratch);
      return;
    }
    CandidatePoints candidates(sweep_, points);
    const PointColumns chosen = candidates.columns();
    const CodeColumns columns(sweep_.values, chosen);
    const whole_run::RunColumns run(runs_, chosen, out);
    if (!run.is_needed()) run.write_none();
    const Block block{chosen, columns, metrics, run};
    ChoiceSearch search(sweep_, decoded_, model_, source);
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Codes given = columns.codes(i);
      if (!search.choose(candidates, i)) {
        metrics.write_without_estimate(i, Status::invalid);
        continue;
      }
      evaluate_point(block, i, source, scratch);
      if (out.status[i] < run_places.first_status) write_choices(metrics, i, given, columns);
    }
  }

  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    if (sweep_.searched.empty())
      return with_run(explain_point(model_, CodeColumns(sweep_.values, points).codes(0)), points);
    CombinationSource source(sweep_.values, decoded_, model_, tables_.get());
    CandidatePoints candidates(sweep_, points);
    const CodeColumns columns(sweep_.values, candidates.columns());
    const Codes given = columns.codes(0);
    ChoiceSearch search(sweep_, decoded_, model_, source);
    const bool found = search.choose(candidates, 0);
    Explanation all = with_run(explain_point(model_, columns.codes(0)), candidates.columns());
    for (const CandidateSweep::Searched& searched : sweep_.searched) {
      const Parameter p = chosen_parameters[searched.choice];
      if (!found || !is_best(p, given[p])) continue;
      const ParameterValue& chosen = sweep_.values[p].values[columns.code(p, 0)];
      const std::string label = "best " + std::string(parameters()[index_of(p)].name);
      if (p == Parameter::dimension_roles)
        all.facts.push_back({label, chosen.text, ""});
      else
        all.facts.push_back({label, chosen.number, ""});
    }
    return all;
  }

  std::string reason(const PointColumns& points) const override {
    if (sweep_.searched.empty()) {
      const std::string text = reason_of(model_, CodeColumns(sweep_.values, points).codes(0));
      return text.empty() ? run_at(points).reason : text;
    }
    CombinationSource source(sweep_.values, decoded_, model_, tables_.get());
    CandidatePoints candidates(sweep_, points);
    const CodeColumns columns(sweep_.values, candidates.columns());
    const Codes given = columns.codes(0);
    ChoiceSearch search(sweep_, decoded_, model_, source);
    if (!search.choose(candidates, 0)) return "no candidate of " + best_names(given) + " agrees with the other values";
    const Codes chosen = columns.codes(0);
    const std::string text = reason_of(model_, chosen);
    const std::string choice = choice_text(given, chosen);
    if (text.empty()) return run_at(candidates.columns()).reason;
    return choice.empty() ? text : "at best, with " + choice + ": " + text;
  }

 private:
  /// What the points of a block share.
  struct Block {
    const PointColumns& points;
    const CodeColumns& columns;
    const MetricColumns& metrics;
    const whole_run::RunColumns& run;
    [[nodiscard]] bool needs_costs() const { return metrics.wants_costs() || (run.is_needed() && run.wants_power()); }
  };

  /// Names of the parameters that are "best" at a point: "tensor_parallel, micro_batch".
  [[nodiscard]] std::string best_names(const Codes& given) const {
    std::string names;
    for (const CandidateSweep::Searched& searched : sweep_.searched) {
      const Parameter p = chosen_parameters[searched.choice];
      if (is_best(p, given[p])) names += (names.empty() ? "" : ", ") + std::string(parameters()[index_of(p)].name);
    }
    return names;
  }
  /// Chosen values of the parameters given as "best": "tensor_parallel 8, micro_batch 1".
  [[nodiscard]] std::string choice_text(const Codes& given, const Codes& chosen) const {
    std::string text;
    for (const CandidateSweep::Searched& searched : sweep_.searched) {
      const Parameter p = chosen_parameters[searched.choice];
      if (!is_best(p, given[p])) continue;
      const ParameterValue& value = sweep_.values[p].values[chosen[p]];
      text += (text.empty() ? "" : ", ") + std::string(parameters()[index_of(p)].name) + " " +
              (p == Parameter::dimension_roles ? value.text : short_number(value.number));
    }
    return text;
  }
  [[nodiscard]] bool is_best(Parameter p, std::uint32_t code) const { return sweep_.values[p].values[code].is_best(); }
  void evaluate_point(const Block& block, std::size_t i, CombinationSource& source,
                      std::vector<NetworkTime>& scratch) const {
    const Combination at = source.at(block.points, i);
    if (at.mapped == nullptr) return block.metrics.write_without_estimate(i, Status::invalid);
    const bool needs_costs = block.needs_costs();
    const StepInputs in = model_.inputs([&](Parameter p) { return block.columns.code(p, i); },
                                        at.workload->global_batch, needs_costs ? Costs::all : Costs::of_limits);
    if (scratch.size() < network_count(*at.mapped)) scratch.resize(network_count(*at.mapped));
    const Step step = step_of(*at.mapped, *at.workload, *at.layout, *at.convention, in, scratch);
    std::optional<StepCosts> costs;
    if (needs_costs && step.status == StepStatus::ok) costs = costs_of(step, *at.layout, in);
    const double length = sequence_length(block.points, block.columns, i);
    const bool has_tokens = at.workload->spread == Spread::tensor_parallel;
    block.metrics.write(i, at, in, step, costs, has_tokens ? in.global_batch * length : absent);
    if (!block.run.is_needed()) return;
    if (step.status != StepStatus::ok || at.workload->phase != Phase::train) return block.run.write_none(i);
    block.run.write(i, run_step(block.points, block.columns, i, at, in, priced_step(at, step, costs)));
  }
  /// The time of a step, and the power and the price of its system where they are known.
  [[nodiscard]] static whole_run::RunStep priced_step(const Combination& at, const Step& step,
                                                      const std::optional<StepCosts>& costs) {
    whole_run::RunStep priced;
    priced.time = step.step_time;
    if (!costs) return priced;
    priced.power = run_power(at, costs->system_power, costs->system_average_power);
    priced.price = costs->system_cost;
    return priced;
  }
  [[nodiscard]] double sequence_length(const PointColumns& points, const CodeColumns& columns, std::size_t i) const {
    const double length = decoded_.numbers[Parameter::sequence_length][columns.code(Parameter::sequence_length, i)];
    return is_given(length) ? length : runs_.sequence_length_at(points, i);
  }
  /// Power of a system in the energies of its run: the conventions of the run logs take its nameplate.
  [[nodiscard]] static Watts run_power(const Combination& at, Watts nameplate, Watts average) {
    const bool is_of_logs = at.convention->price_rule == PriceRule::as_stated;
    return is_of_logs || !is_given(average.value()) ? nameplate : average;
  }
  /// `step`: with its time, and the power and the price of the system.
  [[nodiscard]] whole_run::RunStep run_step(const PointColumns& points, const CodeColumns& columns, std::size_t i,
                                            const Combination& at, const StepInputs& in,
                                            whole_run::RunStep step) const {
    step.batch = in.global_batch;
    step.sequence_length = sequence_length(points, columns, i);
    step.devices = at.layout->chips * in.copies;
    step.format = at.workload->word_bytes < 2.0 ? NumberFormat::fp8 : NumberFormat::bf16;
    return step;
  }
  /// The run of the first point; nothing where its step has no estimate.
  [[nodiscard]] whole_run::RunExplanation run_at(const PointColumns& points) const {
    CombinationSource source(sweep_.values, decoded_, model_, tables_.get());
    const CodeColumns columns(sweep_.values, points);
    const Combination at = source.at(points, 0);
    if (at.mapped == nullptr || at.workload->phase != Phase::train) return {};
    const StepInputs in = model_.inputs([&](Parameter p) { return columns.code(p, 0); }, at.workload->global_batch);
    std::vector<NetworkTime> scratch(network_count(*at.mapped));
    const Step step = step_of(*at.mapped, *at.workload, *at.layout, *at.convention, in, scratch);
    if (step.status != StepStatus::ok) return {};
    const StepCosts costs = costs_of(step, *at.layout, in);
    return explain_run(runs_, points, run_step(points, columns, 0, at, in, priced_step(at, step, costs)));
  }
  /// An explanation of the first point, with its whole run.
  [[nodiscard]] Explanation with_run(Explanation all, const PointColumns& points) const {
    const whole_run::RunExplanation run = run_at(points);
    if (run.status) {
      Explanation& result = all.sections.front();
      result.facts.front().value = std::string(statuses()[status_of(*run.status)].name);
      result.facts.insert(result.facts.begin() + 1, {"reason", run.reason, ""});
    }
    if (run.section) all.sections.push_back(*run.section);
    return all;
  }
  [[nodiscard]] static std::size_t status_of(whole_run::RunStatus status) {
    return run_places.first_status + index_of(status);
  }
  /// Pre: the other metrics of point `i` are written; `given` has the codes before the choice.
  void write_choices(const MetricColumns& metrics, std::size_t i, const Codes& given,
                     const CodeColumns& columns) const {
    for (const CandidateSweep::Searched& searched : sweep_.searched) {
      const Parameter p = chosen_parameters[searched.choice];
      if (is_best(p, given[p]))
        metrics.set(i, chosen_metrics[searched.choice], searched.candidates[columns.code(p, i) - searched.first]);
    }
  }

  CandidateSweep sweep_;
  DecodedValues decoded_;
  PointModel model_;
  whole_run::RunSweep runs_;
  std::unique_ptr<const CombinationTables> tables_;  ///< null where the sweep has too many combinations
};

// Orders of magnitude on one core of 2020; they determine the sizes of blocks.
constexpr double seconds_of_table_point = 1e-7;     ///< a point whose sub-results are cached
constexpr double seconds_of_cycle_point = 2e-6;     ///< a point of the cycle model whose sub-results are cached
constexpr double seconds_of_given_mapping = 1e-4;   ///< a mapped workload with a given mapping
constexpr double seconds_of_best_mapping = 1e-3;    ///< a mapped workload with a search for the mapping
constexpr double seconds_of_joint_sharding = 2e-2;  ///< a mapped workload with a joint search for sharding and mapping
constexpr double most_cycle_factor = 5.0;           ///< factor of a search that also assigns cores
constexpr double candidates_per_best_point =
    30.0;  ///< candidates left by the bounds where degrees, roles or micro-batches are chosen
constexpr double most_shared_seconds = 1.0;  ///< limit for sub-results that may all be computed in one block
/// Rows in a block of cheap points: see engine/plan/plan.cpp.
constexpr std::uint64_t usual_rows = 131'072;

bool some_best(const SweepValues& values) {
  return std::any_of(chosen_parameters.begin(), chosen_parameters.end(), [&values](Parameter p) {
    const std::vector<ParameterValue>& list = values[p].values;
    return std::any_of(list.begin(), list.end(), [](const ParameterValue& value) { return value.is_best(); });
  });
}

class DataflowEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override {
    return "workload graphs mapped onto chips, memories and networks (DFModel)";
  }
  std::uint32_t version() const override { return 8; }
  std::span<const ParameterInfo> parameters() const override { return dataflow::parameters(); }
  std::span<const MetricInfo> metrics() const override { return dataflow::metrics(); }
  ResultViews views() const override { return dataflow::views(); }
  std::span<const StatusInfo> statuses() const override { return dataflow::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }

  double seconds_per_point(const SweepValues& values) const override {
    const auto some = [&values](Parameter p, auto holds) {
      return std::any_of(values[p].values.begin(), values[p].values.end(), holds);
    };
    const bool cycle_model =
        some(Parameter::compute_utilization, [](const ParameterValue& v) { return v.number == 0.0; });
    const bool searched = some(Parameter::mapping, [](const ParameterValue& v) { return v.is_best(); });
    const bool joint = some(Parameter::sharding, [](const ParameterValue& v) { return v.text == "joint"; });
    const double mapped = joint      ? seconds_of_joint_sharding
                          : searched ? seconds_of_best_mapping * (cycle_model ? most_cycle_factor : 1.0)
                                     : seconds_of_given_mapping;
    const double known = cycle_model ? seconds_of_cycle_point : seconds_of_table_point;
    if (some_best(values)) return candidates_per_best_point * mapped;
    if (searched || joint) return known + mapped;  // it depends on all rates, so each point may need another search
    if (exceeds_tables(values)) return std::max(mapped, cycle_model ? 1e-2 : 1e-3);
    const auto rows = static_cast<double>(usual_rows);
    const FirstUses uses = first_uses(values, rows);
    return known + (uses.all * mapped <= most_shared_seconds ? 0.0 : uses.in_rows / rows * mapped);
  }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    return whole_run::applies_to_run(metric, values, run_places);
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_values(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedDataflow>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_dataflow_estimator() {
  return std::make_unique<DataflowEstimator>();
}

}  // namespace dfsweep::dataflow
