/// Evaluation of blocks of points from the deployments of a sweep.
#include "models/serving/estimator.hpp"

#include <algorithm>

#include "models/kernels/software_table.hpp"
#include "models/serving/points/conventions.hpp"
#include "models/serving/points/explanation.hpp"
#include "models/serving/points/kept.hpp"
#include "models/serving/points/physical_points.hpp"
#include "models/serving_study/points.hpp"

namespace dfsweep::serving {

namespace {

constexpr double study_seconds = 5e-6;  ///< of a point
constexpr double physical_seconds = 1e-7;

/// Writes figures to the columns that are wanted.
class FigureColumns {
 public:
  explicit FigureColumns(EstimateColumns& out) : status_(out.status) {
    for (const Metric metric : all_of<Metric>)
      if (out.wants(metric)) wanted_.push_back({metric, out[metric].data()});
  }
  void write(std::size_t i, const Figures& figures) const {
    status_[i] = index_of(figures.status);
    for (const auto& [metric, column] : wanted_) column[i] = figures[metric];
  }

 private:
  std::span<std::uint8_t> status_;
  std::vector<std::pair<Metric, double*>> wanted_;
};

bool wants_phase(const EstimateColumns& out) {
  using enum Metric;
  return out.wants(compute_time) || out.wants(memory_time) || out.wants(network_time) || out.wants(host_time) ||
         out.wants(model_flops_utilization);
}

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
  PreparedPhysical(const SweepValues& values, inference::MakeStepTimes make_step_times)
      : values_(values),
        decoded_(decode_values(values)),
        deployments_(values, deployment_parameters()),
        demands_(values, demand_parameters()) {
    using enum Parameter;
    if (!has_profiles(values)) return;
    profiles_ = make_step_times(
        values, {values[model], values[device], values[network], values[tensor_parallel], values[pipeline_parallel]});
  }

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const FigureColumns columns(out);
    PhysicalWalk walk(wants_phase(out) ? PhysicalWalk::Phases::wanted : PhysicalWalk::Phases::left_out);
    Kept<Deployment>::Numbers deployments;
    Kept<Demand>::Numbers demands;
    Own own;
    for (std::size_t first = 0; first < points.count(); first += Kept<Deployment>::run) {
      const std::size_t count = std::min(points.count() - first, Kept<Deployment>::run);
      deployments_.number(points, first, count, deployments);
      demands_.number(points, first, count, demands);
      for (std::size_t k = 0; k < count; ++k) {
        if (!deployments_.keeps()) walk.forget();
        const Deployment& here = deployment(codes, first + k, deployments[k], own);
        columns.write(first + k, figures(walk, here, demand(codes, first + k, demands[k], own), points, first + k));
      }
    }
  }
  bool leaves_out_unwanted() const override { return true; }
  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    const PointValues v(decoded_.numbers, codes, 0);
    const Deployment deployment = deployment_of(decoded_, v);
    const Demand demand = demand_of(v);
    PhysicalWalk walk(PhysicalWalk::Phases::wanted);
    return explain_physical(deployment, demand, figures(walk, deployment, demand, points, 0));
  }
  std::span<const DataProblem> warnings() const override {
    return profiles_ ? profiles_->warnings() : std::span<const DataProblem>{};
  }

 private:
  /// Of a point, where a sweep has too many to keep.
  struct Own {
    Deployment deployment;
    Demand demand;
  };
  [[nodiscard]] const Figures& figures(PhysicalWalk& walk, const Deployment& deployment, const Demand& demand,
                                       const PointColumns& points, std::size_t i) const {
    if (!profiles_) return walk.figures(deployment, demand);
    return walk.figures(deployment, demand, ProfiledPlace{*profiles_, points, i});
  }
  const Deployment& deployment(const PointCodes& codes, std::size_t i, std::uint32_t number, Own& own) const {
    return deployments_.at(number, own.deployment,
                           [&] { return deployment_of(decoded_, PointValues(decoded_.numbers, codes, i)); });
  }
  const Demand& demand(const PointCodes& codes, std::size_t i, std::uint32_t number, Own& own) const {
    return demands_.at(number, own.demand, [&] { return demand_of(PointValues(decoded_.numbers, codes, i)); });
  }

  const SweepValues& values_;
  DecodedValues decoded_;
  Kept<Deployment> deployments_;
  Kept<Demand> demands_;
  std::unique_ptr<inference::StepTimes> profiles_;  ///< null where no tables are given
};

class ServingEstimator final : public Estimator {
 public:
  explicit ServingEstimator(inference::MakeStepTimes make_step_times) : make_step_times_(make_step_times) {}
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "serving of a transformer: latency, throughput, memory, cost"; }
  std::uint32_t version() const override { return 2; }
  std::span<const ParameterInfo> parameters() const override { return serving::parameters(); }
  std::span<const CalibrationInfo> calibration() const override { return kernels::serving_calibration(); }
  std::span<const MetricInfo> metrics() const override { return serving::metrics(); }
  ResultViews views() const override { return serving::views(); }
  std::span<const StatusInfo> statuses() const override { return serving::statuses(); }
  std::span<const DataInfo> data() const override { return serving::data(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues& values) const override {
    return is_of_study(values) ? study_seconds : physical_seconds;
  }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    if (metric != index_of(Metric::expected_error) && metric != index_of(Metric::expected_memory_error)) return true;
    const std::vector<ParameterValue>& software = values[Parameter::software].values;
    return std::any_of(software.begin(), software.end(), [&](const ParameterValue& value) {
      return value.entry != nullptr && value.entry->has_number(metrics()[metric].name);
    });
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override {
    if (std::vector<ValueProblem> mixed = problems_of_conventions(values); !mixed.empty()) return mixed;
    return problems_of_values(values);
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    if (is_of_study(values)) return std::make_unique<PreparedStudy>(values);
    return std::make_unique<PreparedPhysical>(values, make_step_times_);
  }

 private:
  inference::MakeStepTimes make_step_times_;
};

}  // namespace

std::unique_ptr<Estimator> make_serving_estimator(inference::MakeStepTimes make_step_times) {
  return std::make_unique<ServingEstimator>(make_step_times);
}

}  // namespace dfsweep::serving
