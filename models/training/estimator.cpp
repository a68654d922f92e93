/// Evaluation of blocks of points from tables of what few parameters decide.
#include "models/training/estimator.hpp"

#include <array>
#include <optional>

#include "models/calculon/points/calculon_points.hpp"
#include "models/calculon/points/metric_columns.hpp"
#include "models/calculon/points/point_explanation.hpp"
#include "models/kernels/software_table.hpp"
#include "models/training/points/conventions.hpp"
#include "models/training/points/decoded_values.hpp"
#include "models/training/points/prepared_sweep.hpp"

namespace dfsweep::training {

namespace {

using calculon::Rejection;

class PreparedCalculon final : public PreparedSweep {
 public:
  explicit PreparedCalculon(const SweepValues& values)
      : values_(values), decoded_(calculon::decode_values(values)), points_(values, decoded_) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const calculon::Codes codes(values_, points);
    const calculon::MetricColumns columns(out);
    calculon::RunNumbers run;
    calculon::PointWalk walk;
    Memory memory;
    for (std::size_t first = 0; first < points.count(); first += run.count) {
      points_.number(points, first, run);
      for (std::size_t k = 0; k < run.count; ++k) {
        const calculon::CalculonPoint& point = points_.go_to(run, k, codes, walk);
        if (point.rejection != Rejection::none)
          columns.reject(first + k, point.rejection);
        else
          estimate(points, codes, run, k, walk, memory, columns);
      }
    }
  }
  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const calculon::Codes codes(values_, points);
    calculon::RunNumbers run;
    calculon::PointWalk walk;
    points_.number(points, 0, run);
    const calculon::CalculonPoint& point = points_.go_to(run, 0, codes, walk);
    if (point.rejection != Rejection::none) return calculon::explain_rejection(point.rejection);
    const calculon::BatchInputs inputs = points_.inputs(run, 0, walk);
    const calculon::Results results = calculon::results_of(inputs, points_.useful(points, 0, walk));
    return calculon::explain_results(results, point.layout->model);
  }

 private:
  /// Memory of the last point that no other rule rejects. Points that differ in network tiers alone share it.
  struct Memory {
    using Key = std::array<std::uint32_t, 5>;
    std::optional<Key> key;
    calculon::MemoryUse use;
    Rejection rejection = Rejection::none;
  };

  /// Pre: the walk is at point `k` of the run, and no rule is broken but maybe those on memory.
  void estimate(const PointColumns& points, const calculon::Codes& codes, const calculon::RunNumbers& run,
                std::size_t k, calculon::PointWalk& walk, Memory& memory,
                const calculon::MetricColumns& columns) const {
    const std::size_t i = run.first + k;
    const calculon::BatchInputs inputs = points_.inputs(run, k, walk);
    find_memory(inputs, run, k, memory);
    if (memory.rejection != Rejection::none && !columns.wants_short_of_memory())
      return columns.reject(i, memory.rejection);
    const calculon::StagePasses passes = stage_passes(inputs);
    const calculon::Results results{
        .inputs = inputs,
        .memory = memory.use,
        .passes = passes,
        .times = batch_times(inputs, passes),
        .bandwidths = columns.wants_figures() ? offload_bandwidths(inputs, passes) : calculon::OffloadBandwidths{},
        .useful_flops = columns.wants_useful_flops() ? points_.useful(points, i, walk) : calculon::ExactCount{}};
    columns.write(i, results, memory.rejection, *walk.point.layout,
                  decoded_.train_tokens[codes.code(Parameter::train_tokens, i)]);
  }

  static void find_memory(const calculon::BatchInputs& inputs, const calculon::RunNumbers& run, std::size_t k,
                          Memory& memory) {
    using enum calculon::PointTable;
    const auto number = [&](calculon::PointTable table) { return run.of_table[table][k]; };
    const Memory::Key key{number(block), number(optimizer), number(split), number(chunks), number(options)};
    if (memory.key == key) return;
    memory.key = key;
    memory.use = memory_use(inputs.block, inputs.optimizer, inputs.shape, inputs.execution);
    memory.rejection = memory_rejection(memory.use, inputs.system);
  }

  const SweepValues& values_;
  calculon::DecodedValues decoded_;
  calculon::CalculonPoints points_;
};

class TrainingEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "training step of a transformer: time, memory, cost"; }
  std::uint32_t version() const override { return 2; }
  std::span<const ParameterInfo> parameters() const override { return training::parameters(); }
  std::span<const CalibrationInfo> calibration() const override { return kernels::training_calibration(); }
  std::span<const MetricInfo> metrics() const override { return training::metrics(); }
  ResultViews views() const override { return training::views(); }
  std::span<const StatusInfo> statuses() const override { return training::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues& values) const override { return is_physical(values) ? 2e-6 : 1e-7; }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    return applies_to_convention(metric, values);
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override {
    if (std::vector<ValueProblem> mixed = problems_of_conventions(values); !mixed.empty()) return mixed;
    return is_physical(values) ? problems_of_physical_values(values) : calculon::problems_of_values(values);
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    if (is_physical(values)) return prepare_physical(values);
    return std::make_unique<PreparedCalculon>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_training_estimator() {
  return std::make_unique<TrainingEstimator>();
}

}  // namespace dfsweep::training
