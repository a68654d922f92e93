/// Evaluation of blocks of points from measured tables.
#include "models/profiled/estimator.hpp"

#include "models/absent.hpp"
#include "models/profiled/points/explain.hpp"
#include "models/profiled/points/measured_steps.hpp"
#include "models/profiled/points/point.hpp"
#include "models/profiled/points/swept_profiles.hpp"

namespace dfsweep::profiled {

namespace {

void write_nothing(EstimateColumns& out, std::size_t i, Status status) {
  out.status[i] = index_of(status);
  for (const std::span<double>& column : out.metrics) column[i] = absent;
}

/// Writes the metrics that are valid even without a total time.
void write_parts(EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  out[Metric::memory_used][i] = p.memory_used.value();
  out[Metric::max_batch][i] = p.replica->max_batch;
  for (std::size_t o = 0; o < token_operator_count; ++o) out[operator_time(o)][i] = p.tokens->times[o].value();
  out[operator_time(token_operator_count)][i] = p.prefill->time.value();
  out[operator_time(token_operator_count + 1)][i] = p.decode->time.value();
  const ReplicaTerms& terms = p.replica->terms;
  out[Metric::all_reduce_time][i] = terms.all_reduces > 0.0 ? p.network->all_reduce.time.value() : absent;
  const bool inside = terms.stages.transfers_inside > 0.0;
  const bool between = terms.stages.transfers_between > 0.0;
  out[Metric::send_recv_time][i] = between  ? p.network->transfer_between.time.value()
                                   : inside ? p.network->transfer_inside.time.value()
                                            : absent;
}

void write_times(EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  const BatchTime t = batch_time(p);
  out[Metric::step_time][i] = t.step.value();
  out[Metric::attention_time][i] = t.attention.value();
  out[Metric::mlp_time][i] = t.mlp.value();
  out[Metric::tensor_comm_time][i] = t.tensor_comm.value();
  out[Metric::pipeline_comm_time][i] = t.pipeline_comm.value();
  out[Metric::processor_time][i] = t.processor.value();
  out[Metric::embedding_time][i] = t.embedding.value();
  out[Metric::output_time][i] = t.output.value();
  out[Metric::sampling_time][i] = t.sampling.value();
  out[Metric::token_rate][i] = p.batch.tokens() / t.slowest.value();
  out[Metric::coverage][i] = static_cast<double>(coverage_of(p));
  const std::optional<Coverage> head = head_coverage_of(p);
  out[Metric::head_coverage][i] = head ? static_cast<double>(*head) : absent;
  out[Metric::expected_error][i] = t.error / t.step;
}

void write_point(EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  if (p.tokens == nullptr) return write_nothing(out, i, p.status);
  out.status[i] = index_of(p.status);
  write_parts(out, i, p);
  if (p.status == Status::ok) return write_times(out, i, p);
  for (const Metric m : all_of<Metric>) {
    if (m == operator_time(0)) break;
    if (m != Metric::memory_used && m != Metric::max_batch) out[m][i] = absent;
  }
}

class PreparedProfiled final : public PreparedSweep {
 public:
  explicit PreparedProfiled(const SweepValues& values)
      : values_(values),
        reading_(read_swept_profiles(values)),
        decoded_(decode_values(values, reading_.errors)),
        batches_(values, decoded_),
        replicas_(values, decoded_, batches_, reading_.profiles) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const CodeColumns codes(values_, points);
    Scratch scratch;
    const Replica* replica = nullptr;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < points.count(); ++i) {
      const std::uint64_t here = replicas_.number(points, i);
      if (replica == nullptr || here != number) replica = &replicas_.at(points, codes, i, scratch.replica);
      number = here;
      write_point(out, i,
                  point_of(
                      *replica, batches_, [&](Parameter p) { return codes.code(p, i); }, scratch));
    }
  }

  Explanation explain(const PointColumns& points) const override {
    const CodeColumns columns(values_, points);
    Scratch scratch;
    const Replica& replica = replicas_.at(points, columns, 0, scratch.replica);
    const auto code = [&](Parameter p) { return columns.code(p, 0); };
    const ProfiledPoint point = point_of(replica, batches_, code, scratch);
    const WantedTables wanted{decoded_.models[code(Parameter::model)], decoded_.devices[code(Parameter::device)],
                              decoded_.networks[code(Parameter::network)],
                              decoded_.numbers[Parameter::tensor_parallel][code(Parameter::tensor_parallel)]};
    return explain_point(point, batches_.batch(code), wanted, reading_.profiles);
  }

  std::span<const DataProblem> warnings() const override { return reading_.warnings; }

 private:
  const SweepValues& values_;
  ProfileReading reading_;
  ProfiledValues decoded_;
  Batches batches_;
  Replicas replicas_;
};

class ProfiledEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "inference batch time from measured operator tables (Vidur)"; }
  std::uint32_t version() const override { return 2; }
  std::span<const ParameterInfo> parameters() const override { return profiled::parameters(); }
  std::span<const MetricInfo> metrics() const override { return profiled::metrics(); }
  ResultViews views() const override { return profiled::views(); }
  std::span<const StatusInfo> statuses() const override { return profiled::statuses(); }
  std::span<const DataInfo> data() const override { return profiled::data(); }
  double seconds_per_point(const SweepValues&) const override { return 1e-7; }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_values(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedProfiled>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_profiled_estimator() {
  return std::make_unique<ProfiledEstimator>();
}

std::unique_ptr<StepTimes> make_step_times(const SweepValues& values, const TableChoice& choice) {
  return std::make_unique<MeasuredSteps>(values, choice);
}

}  // namespace dfsweep::profiled
