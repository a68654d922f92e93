#include "models/serving_study/estimator.hpp"

#include "models/prepared/wanted_columns.hpp"
#include "models/serving_study/explanation.hpp"
#include "models/serving_study/point.hpp"

namespace dfsweep::serving_study {

namespace {

class PreparedStudy final : public PreparedSweep {
 public:
  explicit PreparedStudy(const SweepValues& values) : values_(values), decoded_(decode_values(values)) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const WantedColumns<Metric, Status> columns(out);
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Figures figures = figures_of(decoded_, PointValues(decoded_.numbers, codes, i));
      columns.write(i, figures.status, figures.metrics);
    }
  }
  bool leaves_out_unwanted() const override { return true; }
  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    return explain_point(decoded_, PointValues(decoded_.numbers, codes, 0));
  }

 private:
  const SweepValues& values_;
  DecodedValues decoded_;
};

class ServingStudyEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "the serving study of the DFModel paper, as published"; }
  std::uint32_t version() const override { return 3; }
  std::span<const ParameterInfo> parameters() const override { return serving_study::parameters(); }
  std::span<const MetricInfo> metrics() const override { return serving_study::metrics(); }
  ResultViews views() const override { return serving_study::views(); }
  std::span<const StatusInfo> statuses() const override { return serving_study::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues&) const override { return 5e-6; }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    return metric < index_of(Metric::ownership) || cost::asks_ownership<Parameter>(values);
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_values(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedStudy>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_serving_study_estimator() {
  return std::make_unique<ServingStudyEstimator>();
}

}  // namespace dfsweep::serving_study
