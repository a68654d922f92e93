/// Evaluation of blocks of points from measured tables.
#include "models/profiled/estimator.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/cost/bill_explanation.hpp"
#include "models/prepared/wanted_columns.hpp"
#include "models/profiled/points/device_bill.hpp"
#include "models/profiled/points/explain.hpp"
#include "models/profiled/points/measured_steps.hpp"
#include "models/profiled/points/point.hpp"
#include "models/profiled/points/swept_profiles.hpp"
#include "models/profiled/simulation/explain_simulation.hpp"
#include "models/profiled/simulation/simulated_point.hpp"
#include "models/profiled/times/batch_work.hpp"

namespace dfsweep::profiled {

namespace {

void write_nothing(const EstimateColumns& out, std::size_t i, Status status) {
  out.status[i] = index_of(status);
  put_nothing(out, i);
}

/// Writes the metrics that are valid even without a total time.
void write_parts(const EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  put(out, Metric::memory_used, i, p.memory_used.value());
  put(out, Metric::max_batch, i, p.replica->max_batch);
  for (std::size_t o = 0; o < token_operator_count; ++o) put(out, operator_time(o), i, p.tokens->times[o].value());
  put(out, operator_time(token_operator_count), i, p.prefill->time.value());
  put(out, operator_time(token_operator_count + 1), i, p.decode->time.value());
  const ReplicaTerms& terms = p.replica->terms;
  put(out, Metric::all_reduce_time, i, terms.all_reduces > 0.0 ? p.network->all_reduce.time.value() : absent);
  const bool inside = terms.stages.transfers_inside > 0.0;
  const bool between = terms.stages.transfers_between > 0.0;
  put(out, Metric::send_recv_time, i,
      between  ? p.network->transfer_between.time.value()
      : inside ? p.network->transfer_inside.time.value()
               : absent);
}

void write_times(const EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  const BatchTime t = batch_time(p);
  put(out, Metric::step_time, i, t.step.value());
  put(out, Metric::attention_time, i, t.attention.value());
  put(out, Metric::mlp_time, i, t.mlp.value());
  put(out, Metric::tensor_comm_time, i, t.tensor_comm.value());
  put(out, Metric::pipeline_comm_time, i, t.pipeline_comm.value());
  put(out, Metric::processor_time, i, t.processor.value());
  put(out, Metric::embedding_time, i, t.embedding.value());
  put(out, Metric::output_time, i, t.output.value());
  put(out, Metric::sampling_time, i, t.sampling.value());
  put(out, Metric::token_rate, i, p.batch.tokens() / t.slowest.value());
  put(out, Metric::coverage, i, static_cast<double>(coverage_of(p)));
  const std::optional<Coverage> head = head_coverage_of(p);
  put(out, Metric::head_coverage, i, head ? static_cast<double>(*head) : absent);
  put(out, Metric::expected_error, i, t.error / t.step);
}

void write_point(const EstimateColumns& out, std::size_t i, const ProfiledPoint& p) {
  if (p.tokens == nullptr) return write_nothing(out, i, p.status);
  out.status[i] = index_of(p.status);
  write_parts(out, i, p);
  if (p.status == Status::ok) return write_times(out, i, p);
  for (const Metric m : all_of<Metric>) {
    if (m == operator_time(0)) break;
    if (m != Metric::memory_used && m != Metric::max_batch) put(out, m, i, absent);
  }
}

/// Work of the batches of neighbouring points, which often share their tokens.
class KeptWork {
 public:
  /// NaN without rates of the device. Pre: the status of the point is ok.
  cost::KernelWork at(const ProfiledPoint& p) {
    const LayerModel& model = p.replica->layer->model;
    if (!model.rates().known()) return {absent, absent, absent};
    const LayerSplit& layer = model.layer();
    if (&model != model_ || p.batch.tokens() != tokens_) {
      model_ = &model;
      tokens_ = p.batch.tokens();
      work_ = tokens_work(layer, tokens_, model.reading().convention->additions_per_block);
    }
    const ReplicaTerms& terms = p.replica->terms;
    const double requests = p.batch.decode.requests + p.batch.prefill.requests;
    const OperatorWork all = terms.stages.layers * (work_ + attention_work(layer, p.batch.decode, p.batch.prefill)) +
                             terms.outputs * token_work(Operator::lm_head, layer, requests);
    return kernel_work(all, model.rates(), batch_time(p), terms.stages);
  }

 private:
  const LayerModel* model_ = nullptr;
  double tokens_ = 0.0;
  OperatorWork work_;
};

/// Whether the caller reads a metric of price, power or ownership.
bool wants_costs(const EstimateColumns& out) {
  return std::ranges::any_of(all_of<Metric>, [&](Metric m) { return m >= Metric::system_cost && out.wants(m); });
}

class PreparedProfiled final : public PreparedSweep {
 public:
  explicit PreparedProfiled(const SweepValues& values)
      : values_(values),
        tables_(swept_tables(values)),
        findings_(findings_of(values)),
        trace_(read_trace(values)),
        decoded_(decode_values(values, all_errors(findings_, trace_))),
        batches_(values, decoded_),
        replicas_(values, decoded_, batches_, tables_) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const CodeColumns codes(values_, points);
    KeptBill kept(decoded_);
    if (!wants_costs(out)) return evaluate_batches(points, codes, out, kept, {});
    // Energy per token needs the rate of tokens, whether or not the caller reads that.
    std::vector<double> rates(out.wants(Metric::token_rate) ? 0 : points.count());
    std::vector<std::span<double>> columns(out.metrics.begin(), out.metrics.end());
    if (!rates.empty()) columns[index_of(Metric::token_rate)] = rates;
    const EstimateColumns all{out.status, columns, out.wanted_rows};
    std::vector<Watts> averages(points.count(), Watts{absent});
    evaluate_batches(points, codes, all, kept, averages);
    for (std::size_t i = 0; i < points.count(); ++i)
      if (out.status[i] == status_ok)
        write_costs(all, i, averages[i], kept, [&](Parameter p) { return codes.code(p, i); });
  }

  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const CodeColumns columns(values_, points);
    Scratch scratch;
    const Replica& replica = replicas_.at(points, columns, 0, scratch.replica);
    const auto code = [&](Parameter p) { return columns.code(p, 0); };
    if (decoded_.is_simulated[code(Parameter::queueing)] && replica.verdict == Status::ok)
      return with_bill(
          explain_simulation(run_of(replica, BatchClock(replica), simulation_request(decoded_, columns.codes(0)),
                                    columns.codes(0), {.samples = true, .request_parts = true, .batches = true})),
          code);
    const ProfiledPoint point = point_of(replica, batches_, code, scratch);
    const WantedTables wanted{decoded_.models[code(Parameter::model)], decoded_.devices[code(Parameter::device)],
                              decoded_.networks[code(Parameter::network)],
                              decoded_.numbers[Parameter::tensor_parallel][code(Parameter::tensor_parallel)]};
    return with_bill(explain_point(point, batches_.batch(code), wanted, tables_.profiles()), code);
  }

  std::span<const DataProblem> warnings() const override { return findings_.warnings; }

 private:
  static std::vector<DataProblem> all_errors(const TableFindings& tables, const TraceReading& trace) {
    std::vector<DataProblem> all = tables.errors;
    all.insert(all.end(), trace.errors.begin(), trace.errors.end());
    return all;
  }
  template <class CodeOf>
  [[nodiscard]] Explanation with_bill(Explanation all, const CodeOf& code) const {
    all.sections.push_back(cost::bill_section(bill_at(decoded_, code)));
    return all;
  }
  /// Status and metrics but those of price, power and ownership. `averages`: watts of a device, NaN where they are not
  /// known; empty where they are not wanted.
  void evaluate_batches(const PointColumns& points, const CodeColumns& codes, const EstimateColumns& out,
                        KeptBill& bills, std::span<Watts> averages) const {
    const auto device_at = [&](std::size_t i) -> cost::PowerRange {
      const cost::Bill& bill = bills.at([&](Parameter p) { return codes.code(p, i); });
      return {bill.idle, bill.limit};
    };
    Scratch scratch;
    KeptWork kept;
    const Replica* replica = nullptr;
    std::optional<BatchClock> clock;
    for (const Metric m : all_of<Metric>)
      if (is_of_simulation(m) || m >= Metric::system_cost) std::fill(out[m].begin(), out[m].end(), absent);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < points.count(); ++i) {
      const std::uint64_t here = replicas_.number(points, i);
      if (replica == nullptr || here != number) {
        replica = &replicas_.at(points, codes, i, scratch.replica);
        clock.reset();
      }
      number = here;
      if (decoded_.is_simulated[codes.code(Parameter::queueing, i)]) {
        const std::optional<cost::PowerRange> device = averages.empty() ? std::nullopt : std::optional(device_at(i));
        const Watts average = simulate(*replica, clock, codes.codes(i), device, out, i);
        if (!averages.empty()) averages[i] = average;
        continue;
      }
      const ProfiledPoint point = point_of(
          *replica, batches_, [&](Parameter p) { return codes.code(p, i); }, scratch);
      write_point(out, i, point);
      if (averages.empty() || point.status != Status::ok) continue;
      const cost::KernelWork work = kept.at(point);
      if (is_given(work.busy)) averages[i] = cost::kernel_power({}, device_at(i), work);
    }
  }
  /// Of all devices: those of a replica, or of all replicas of a simulated run. Pre: the status of point `i` is ok.
  template <class CodeOf>
  void write_costs(const EstimateColumns& out, std::size_t i, Watts average, KeptBill& kept, const CodeOf& code) const {
    const auto number = [&](Parameter p) { return decoded_.numbers[p][code(p)]; };
    const bool is_simulated = decoded_.is_simulated[code(Parameter::queueing)];
    const double replicas = is_simulated ? number(Parameter::replicas) : 1.0;
    const double devices = replicas * number(Parameter::tensor_parallel) * number(Parameter::pipeline_parallel);
    const auto set = [&](Metric metric, double value) { put(out, metric, i, value); };
    const cost::Bill& bill = kept.at(code);
    const double rate = out[Metric::token_rate][i];
    const cost::OwnershipChoices ownership = cost::ownership_choices<Parameter>(number);
    cost::write_system<Metric>(set, bill, devices, rate, ownership);
    if (!is_given(average.value())) return;
    const cost::OwnedSystem system{devices * bill.price, devices * (average + cost::rest_of_node(bill))};
    cost::write_watts<Metric>(set, {average, system.average_power, devices, rate}, bill.has_measured_watts);
    set(Metric::energy_per_token, system.average_power.value() / rate);
    cost::write_ownership<Metric>(set, system, ownership);
  }
  /// Returns the average watts of a device. `clock`: of `replica` once it is needed.
  Watts simulate(const Replica& replica, std::optional<BatchClock>& clock, const Codes& codes,
                 const std::optional<cost::PowerRange>& device, const EstimateColumns& out, std::size_t i) const {
    if (replica.verdict != Status::ok) {
      write_nothing(out, i, replica.verdict);
      return Watts{absent};
    }
    if (!clock) clock.emplace(replica);
    SimulationRequest request = simulation_request(decoded_, codes);
    request.device = device;
    const SimulatedPoint point = run_of(replica, *clock, request, codes, {.samples = true});
    write_simulation(out, i, point);
    return point.device_average_power;
  }
  SimulatedPoint run_of(const Replica& replica, const BatchClock& clock, const SimulationRequest& request,
                        const Codes& codes, const vidur::Recording& recording) const {
    return simulated_point(replica, clock, request, decoded_.models[codes[Parameter::model]].model, trace_.requests,
                           recording);
  }

  const SweepValues& values_;
  const ProfileTables& tables_;
  TableFindings findings_;
  TraceReading trace_;
  ProfiledValues decoded_;
  Batches batches_;
  Replicas replicas_;
};

bool has_queueing(const SweepValues& values, std::string_view name) {
  const std::vector<ParameterValue>& all = values[Parameter::queueing].values;
  return std::any_of(all.begin(), all.end(), [&](const ParameterValue& value) { return value.text == name; });
}

/// A simulated request has some hundred tokens, and a batch costs about a microsecond.
double seconds_of_point(const SweepValues& values) {
  constexpr double of_batch = 1e-7;
  constexpr double of_request = 1e-4;
  if (!has_queueing(values, "simulated")) return of_batch;
  double requests = 1.0;
  for (const ParameterValue& value : values[Parameter::requests].values) requests = std::max(requests, value.number);
  return of_request * requests;
}

class ProfiledEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "inference batch time from measured operator tables (Vidur)"; }
  std::uint32_t version() const override { return 6; }
  std::span<const ParameterInfo> parameters() const override { return profiled::parameters(); }
  std::span<const MetricInfo> metrics() const override { return profiled::metrics(); }
  ResultViews views() const override { return profiled::views(); }
  std::span<const StatusInfo> statuses() const override { return profiled::statuses(); }
  std::span<const DataInfo> data() const override { return profiled::data(); }
  double seconds_per_point(const SweepValues& values) const override { return seconds_of_point(values); }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    const Metric m = static_cast<Metric>(metric);
    const bool is_of_both =
        m == Metric::token_rate || m == Metric::memory_used || m == Metric::max_batch || m == Metric::coverage;
    if (m >= Metric::ownership) return cost::asks_ownership<Parameter>(values);
    if (m >= Metric::system_cost) return true;
    return is_of_both || has_queueing(values, is_of_simulation(m) ? "simulated" : "steady");
  }
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
