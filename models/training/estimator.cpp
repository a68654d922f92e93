/// Evaluation of blocks of points from tables of what few parameters decide.
#include "models/training/estimator.hpp"

#include "models/training/points/calculon_points.hpp"
#include "models/training/points/conventions.hpp"
#include "models/training/points/metric_columns.hpp"
#include "models/training/points/physical_sweep.hpp"
#include "models/training/points/physical_values.hpp"
#include "models/training/points/point_explanation.hpp"

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
    calculon::PointScratch scratch;
    for (std::size_t i = 0; i < points.count(); ++i) {
      const calculon::CalculonPoint point = points_.at(points, codes, i, scratch);
      if (point.rejection != Rejection::none) {
        columns.reject(i, point.rejection);
        continue;
      }
      const calculon::BatchInputs inputs = points_.inputs(point, points, i, scratch);
      const calculon::Results results = calculon::results_of(inputs, points_.useful(point, points, i, scratch));
      columns.write(i, results, *point.layout, tokens(codes, i));
    }
  }

  Explanation explain(const PointColumns& points) const override {
    const calculon::Codes codes(values_, points);
    calculon::PointScratch scratch;
    const calculon::CalculonPoint point = points_.at(points, codes, 0, scratch);
    if (point.rejection != Rejection::none) return calculon::explain_rejection(point.rejection);
    const calculon::Results results =
        calculon::results_of(points_.inputs(point, points, 0, scratch), points_.useful(point, points, 0, scratch));
    return calculon::explain_results(results, point.layout->model);
  }

 private:
  [[nodiscard]] double tokens(const calculon::Codes& codes, std::size_t i) const {
    return decoded_.train_tokens[codes.code(Parameter::train_tokens, i)];
  }

  const SweepValues& values_;
  calculon::DecodedValues decoded_;
  calculon::CalculonPoints points_;
};

class TrainingEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "training step of a transformer: time, memory, cost"; }
  std::uint32_t version() const override { return 1; }
  std::span<const ParameterInfo> parameters() const override { return training::parameters(); }
  std::span<const MetricInfo> metrics() const override { return training::metrics(); }
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
