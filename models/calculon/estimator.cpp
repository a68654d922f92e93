/// Evaluation of blocks of points from tables of what few parameters decide.
#include "models/calculon/estimator.hpp"

#include <array>
#include <optional>

#include "models/calculon/points/calculon_points.hpp"
#include "models/calculon/points/metric_columns.hpp"
#include "models/calculon/points/point_explanation.hpp"
#include "models/calculon/points/system_bills.hpp"
#include "models/cost/bill_explanation.hpp"

namespace dfsweep::calculon {

namespace {

class PreparedCalculon final : public PreparedSweep {
 public:
  explicit PreparedCalculon(const SweepValues& values)
      : values_(values),
        decoded_(decode_values(values)),
        points_(values, decoded_),
        bills_(values, decoded_),
        runs_(values, run_places()) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const Codes codes(values_, points);
    const MetricColumns columns(out);
    const whole_run::RunColumns whole(runs_, points, out);
    if (!whole.is_needed()) whole.write_none();
    RunNumbers run;
    PointWalk walk;
    Kept kept;
    const Block block{codes, columns, whole, columns.wants_bill() || whole.wants_power()};
    for (std::size_t first = 0; first < points.count(); first += run.count) {
      points_.number(points, first, run);
      if (columns.wants_useful_flops()) points_.number_useful(points, run);
      for (std::size_t k = 0; k < run.count; ++k) {
        const CalculonPoint& point = points_.go_to(run, k, codes, walk);
        if (point.rejection != Rejection::none)
          columns.reject(first + k, point.rejection);
        else
          estimate(block, run, k, walk, kept);
      }
    }
  }
  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const Codes codes(values_, points);
    RunNumbers run;
    PointWalk walk;
    points_.number(points, 0, run);
    const CalculonPoint& point = points_.go_to(run, 0, codes, walk);
    if (point.rejection != Rejection::none) return explain_rejection(point.rejection);
    const BatchInputs inputs = points_.inputs(run, 0, walk);
    points_.number_useful(points, run);
    const Results results = results_of(inputs, points_.useful(run, 0, walk));
    Explanation all = explain_results(results, point.layout->model);
    all.sections.push_back(cost::bill_section(bills_.at(codes, 0)));
    if (!point.execution.training) return all;
    const whole_run::RunExplanation whole =
        explain_run(runs_, points, run_step(results, *point.layout, bills_.at(codes, 0)));
    const bool fits = memory_rejection(results.memory, inputs.system) == Rejection::none;
    if (fits && whole.status) {
      all.facts[0].value = std::string(statuses()[run_places().first_status + index_of(*whole.status)].name);
      all.facts.insert(all.facts.begin() + 1, {"reason", whole.reason, ""});
    }
    if (whole.section) all.sections.insert(all.sections.begin(), *whole.section);
    return all;
  }

 private:
  /// Memory of the last point that no other rule rejects. Points that differ in network tiers alone share it.
  struct Memory {
    using Key = std::array<std::uint32_t, 5>;
    std::optional<Key> key;
    MemoryUse use;
    Rejection rejection = Rejection::none;
  };

  /// What a block of points shares.
  struct Block {
    const Codes& codes;
    const MetricColumns& columns;
    const whole_run::RunColumns& whole;
    bool needs_bill;  ///< of a device, for its own metrics or those of the whole run
  };

  /// What is kept from point to point.
  struct Kept {
    Memory memory;
    cost::Bill bill;  ///< of the last point, where it is needed
  };

  /// Pre: the walk is at point `k` of the run, and no rule is broken except, possibly, those on memory.
  void estimate(const Block& block, const RunNumbers& run, std::size_t k, PointWalk& walk, Kept& kept) const {
    const auto& [codes, columns, whole, needs_bill] = block;
    Memory& memory = kept.memory;
    const std::size_t i = run.first + k;
    const BatchInputs inputs = points_.inputs(run, k, walk);
    find_memory(inputs, run, k, memory);
    if (memory.rejection != Rejection::none && !columns.wants_short_of_memory())
      return columns.reject(i, memory.rejection);
    const StagePasses passes = stage_passes(inputs);
    const Results results{
        .inputs = inputs,
        .memory = memory.use,
        .passes = passes,
        .times = batch_times(inputs, passes),
        .bandwidths = columns.wants_figures() ? offload_bandwidths(inputs, passes) : OffloadBandwidths{},
        .useful_flops = columns.wants_useful_flops() ? points_.useful(run, k, walk) : ExactCount{}};
    if (needs_bill) kept.bill = bills_.at(codes, i);
    columns.write(i, results, memory.rejection, *walk.point.layout, kept.bill);
    if (!whole.is_needed()) return;
    if (walk.point.execution.training)
      whole.write(i, run_step(results, *walk.point.layout, kept.bill));
    else
      whole.write_none(i);
  }

  static whole_run::RunStep run_step(const Results& results, const Layout& layout, const cost::Bill& bill) {
    const auto devices = static_cast<double>(layout.execution.processors);
    const bool is_8bit = layout.execution.datatype == Datatype::float8;
    return {Seconds{results.times.total},
            static_cast<double>(results.inputs.execution.global_batch),
            static_cast<double>(layout.model.sequence),
            devices,
            devices * bill.power,
            is_8bit ? NumberFormat::fp8 : NumberFormat::bf16,
            devices * bill.price};
  }

  static void find_memory(const BatchInputs& inputs, const RunNumbers& run, std::size_t k, Memory& memory) {
    using enum PointTable;
    const auto number = [&](PointTable table) { return run.of_table[table][k]; };
    const Memory::Key key{number(block), number(optimizer), number(split), number(chunks), number(options)};
    if (memory.key == key) return;
    memory.key = key;
    memory.use = memory_use(inputs.block, inputs.optimizer, inputs.shape, inputs.execution);
    memory.rejection = memory_rejection(memory.use, inputs.system);
  }

  const SweepValues& values_;
  DecodedValues decoded_;
  CalculonPoints points_;
  SystemBills bills_;
  whole_run::RunSweep runs_;
};

class CalculonEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override {
    return "training step of a transformer as the Calculon tool computes it";
  }
  std::uint32_t version() const override { return 4; }
  std::span<const ParameterInfo> parameters() const override { return calculon::parameters(); }
  std::span<const MetricInfo> metrics() const override { return calculon::metrics(); }
  ResultViews views() const override { return calculon::views(); }
  std::span<const StatusInfo> statuses() const override { return calculon::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues&) const override { return 1e-7; }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    return whole_run::applies_to_run(metric, values, run_places());
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_values(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedCalculon>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_calculon_estimator() {
  return std::make_unique<CalculonEstimator>();
}

}  // namespace dfsweep::calculon
