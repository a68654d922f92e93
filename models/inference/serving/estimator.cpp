/// Evaluation of blocks of points from the deployments of a sweep.
#include "models/inference/serving/estimator.hpp"

#include "models/inference/serving/points/conventions.hpp"
#include "models/inference/serving/points/explanation.hpp"
#include "models/inference/serving/points/physical_points.hpp"
#include "models/inference/serving/points/study_points.hpp"

namespace dfsweep::serving {

namespace {

constexpr double study_seconds = 5e-6;  ///< of a point
constexpr double physical_seconds = 1e-7;

/// Writes figures to the columns that are wanted.
class FigureColumns {
 public:
  explicit FigureColumns(EstimateColumns& out) : out_(out) {
    for (const Metric metric : all_of<Metric>)
      if (out.wants(metric)) wanted_.push_back(metric);
  }
  void write(std::size_t i, const Figures& figures) const {
    out_.status[i] = index_of(figures.status);
    for (const Metric metric : wanted_) out_[metric][i] = figures[metric];
  }

 private:
  EstimateColumns& out_;
  std::vector<Metric> wanted_;
};

class PreparedStudy final : public PreparedSweep {
 public:
  explicit PreparedStudy(const SweepValues& values) : values_(values), decoded_(decode_values(values)) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const FigureColumns columns(out);
    for (std::size_t i = 0; i < points.count(); ++i) columns.write(i, study_figures(decoded_, codes, i));
  }
  bool leaves_out_unwanted() const override { return true; }
  Explanation explain(const PointColumns& points) const override {
    return explain_study(decoded_, PointCodes(values_, points));
  }

 private:
  const SweepValues& values_;
  DecodedValues decoded_;
};

class PreparedPhysical final : public PreparedSweep {
 public:
  explicit PreparedPhysical(const SweepValues& values)
      : values_(values), decoded_(decode_values(values)), deployments_(values, decoded_) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const FigureColumns columns(out);
    Deployment own;
    for (std::size_t i = 0; i < points.count(); ++i)
      columns.write(i, physical_figures(deployments_.at(points, codes, i, own), PointValues(decoded_, codes, i)));
  }
  bool leaves_out_unwanted() const override { return true; }
  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    Deployment own;
    return explain_physical(deployments_.at(points, codes, 0, own), PointValues(decoded_, codes, 0));
  }

 private:
  const SweepValues& values_;
  DecodedValues decoded_;
  Deployments deployments_;
};

class ServingEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "serving of a transformer: latency, throughput, memory, cost"; }
  std::uint32_t version() const override { return 1; }
  std::span<const ParameterInfo> parameters() const override { return serving::parameters(); }
  std::span<const MetricInfo> metrics() const override { return serving::metrics(); }
  std::span<const StatusInfo> statuses() const override { return serving::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues& values) const override {
    return is_of_study(values) ? study_seconds : physical_seconds;
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override {
    if (std::vector<ValueProblem> mixed = problems_of_conventions(values); !mixed.empty()) return mixed;
    return problems_of_values(values);
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    if (is_of_study(values)) return std::make_unique<PreparedStudy>(values);
    return std::make_unique<PreparedPhysical>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_serving_estimator() {
  return std::make_unique<ServingEstimator>();
}

}  // namespace dfsweep::serving
