/// The published tables of the training estimator, and where its sweeps are prepared.
#include "models/training/estimator.hpp"

#include "models/kernels/software_table.hpp"
#include "models/training/points/decoded_values.hpp"
#include "models/training/points/given_values.hpp"
#include "models/training/walk/prepared_sweep.hpp"

namespace dfsweep::training {

namespace {

class TrainingEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "training step of a transformer: time, memory, cost"; }
  std::uint32_t version() const override { return 9; }
  std::span<const ParameterInfo> parameters() const override { return training::parameters(); }
  std::span<const CalibrationInfo> calibration() const override { return training_calibration(); }
  std::span<const MetricInfo> metrics() const override { return training::metrics(); }
  ResultViews views() const override { return training::views(); }
  std::span<const StatusInfo> statuses() const override { return training::statuses(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues&) const override { return 2e-6; }
  bool applies(MetricIndex metric, const SweepValues& values) const override { return is_known(metric, values); }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override {
    std::vector<ValueProblem> problems = missing_hardware(values);
    return problems.empty() ? problems_of_values(values) : problems;
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override { return prepare_sweep(values); }
};

}  // namespace

std::unique_ptr<Estimator> make_training_estimator() {
  return std::make_unique<TrainingEstimator>();
}

}  // namespace dfsweep::training
