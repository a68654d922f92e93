#include "models/training/walk/prepared_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/machine/memory_reason.hpp"
#include "models/prepared/spare_objects.hpp"
#include "models/training/points/explanation.hpp"
#include "models/training/points/points.hpp"
#include "models/training/step/estimate.hpp"
#include "models/training/walk/point_walk.hpp"

namespace dfsweep::training {

namespace {

constexpr double seconds_per_hour = 3600.0;

std::uint8_t fit_status(Fit fit) {
  if (fit == Fit::device_memory) return code_of(Status::device_memory);
  if (fit == Fit::host_memory) return code_of(Status::host_memory);
  return status_ok;
}

double shortfall(const TrainingPoint& point, const StepEstimate& estimate) {
  const Accelerator& a = point.accelerator;
  if (estimate.fit == Fit::device_memory)
    return shortfall_of(needed_memory(estimate.memory.device, point.software.kept).value(), a.memory_capacity.value());
  if (estimate.fit == Fit::host_memory)
    return shortfall_of(estimate.memory.host.total().value(), a.host_capacity.value());
  return absent;
}

/// What the law says of a run. NaN where no law is given, or it needs what is not.
struct LawFigures {
  double learning_rate = absent;
  double batch_tokens = absent;
  double loss_excess = absent;
};

LawFigures law_figures(const EntryLaw& law, const TrainingPoint& point, double train_tokens, double learning_rate) {
  const Architecture& a = point.architecture;
  const double all = std::log(total_parameters(a) - embedding_parameters(a));
  const double active = std::log(active_parameters(a) - a.vocabulary * a.hidden);
  const double flop =
      std::log(training_flop_per_token(a, point.execution.batch.sequence, AttentionCount::causal).value());
  const double tokens = std::log(train_tokens);
  const LogPoint best = law.at({all, active, tokens, flop + tokens, absent});
  LawFigures figures{std::exp(best.x), std::exp(best.y), absent};
  if (!law.curvature) return figures;
  const double step_tokens = point.execution.batch.global * point.execution.batch.sequence;
  const LogPoint chosen{is_given(learning_rate) ? std::log(learning_rate) : best.x, std::log(step_tokens)};
  figures.loss_excess = loss_excess(*law.curvature, best, chosen);
  return figures;
}

class PreparedTraining final : public PreparedSweep {
 public:
  explicit PreparedTraining(const SweepValues& values)
      : values_(values), decoded_(decoded_values(values)), spaces_(values, decoded_) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    for (const std::span<double> column : out.metrics)
      if (!column.empty()) std::fill_n(column.begin(), points.count(), absent);
    const bool wants_more = wants_more_than_few(out);
    std::unique_ptr<PointWalk> walk = walks_.take([&] { return std::make_unique<PointWalk>(decoded_, spaces_); });
    for (std::size_t first = 0; first < points.count(); first += walk_run) {
      const std::size_t count = walk->start_run(points, first);
      for (std::size_t k = 0; k < count; ++k)
        evaluate_point(codes, first + k, walk->go_to(codes, k), *walk, wants_more, out);
    }
    walks_.give_back(std::move(walk));
  }

  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    const Point point = point_at(decoded_, codes, 0);
    const std::uint8_t status = point.status == status_ok ? fit_status(estimate_step(point.point).fit) : point.status;
    return explain_point(point, statuses()[status]);
  }

 private:
  /// `broken`: the first rule that the point breaks, where the walk is. `wants_more`:
  /// wants_more_than_few().
  void evaluate_point(const PointCodes& codes, std::size_t i, Rule broken, PointWalk& walk, bool wants_more,
                      EstimateColumns& out) const {
    out.status[i] = status_of(broken);
    if (broken != Rule::none) return;
    out.status[i] = fit_status(walk.fit());
    if (out.wanted_rows == WantedRows::ok && out.status[i] != status_ok) return;
    const StepEstimate& estimate = wants_more ? walk.whole_step() : walk.step();
    if (out.wants(Metric::step_time)) out[Metric::step_time][i] = estimate.step_time().value();
    if (out.wants(Metric::sample_rate))
      out[Metric::sample_rate][i] = walk.point().point.execution.batch.global / estimate.step_time().value();
    if (out.wants(Metric::memory_used)) out[Metric::memory_used][i] = estimate.memory.device.total().value();
    if (wants_more) write(out, i, walk.point(), estimate, codes);
  }

  /// Searches and plots often ask for time, memory and rate alone, which are written without asking for all others.
  static bool wants_more_than_few(const EstimateColumns& out) {
    return std::any_of(all_of<Metric>.begin(), all_of<Metric>.end(), [&](Metric metric) {
      const bool is_one = metric == Metric::step_time || metric == Metric::memory_used || metric == Metric::sample_rate;
      return !is_one && out.wants(metric);
    });
  }

  void write(EstimateColumns& out, std::size_t i, const Point& point, const StepEstimate& estimate,
             const PointCodes& codes) const {
    const auto set = [&](Metric metric, double value) {
      if (!out.metrics[index_of(metric)].empty()) out.metrics[index_of(metric)][i] = value;
    };
    write_times(set, estimate);
    set(Metric::compute_precision, static_cast<double>(index_of(point.products.value_or(NumberFormat::bf16))));
    if (out.wants(Metric::evidence))
      set(Metric::evidence, static_cast<double>(index_of(evidence_at(decoded_, codes, i))));
    set(Metric::shortfall, shortfall(point.point, estimate));
    write_rates(set, point, estimate, number(Parameter::train_tokens, codes, i),
                number(Parameter::device_hour_price, codes, i));
    if (const std::optional<Trust>& entry = decoded_.trusts[codes.code(Parameter::software, i)]) {
      const Trust trust = trust_of_model(*entry, point.point.architecture.experts.count);
      const double step = estimate.step_time().value();
      set(Metric::expected_error, trust.expected_error);
      set(Metric::step_time_low, trust.measured_low * step);
      set(Metric::step_time_high, trust.measured_high * step);
      const double memory = estimate.memory.device.total().value();
      set(Metric::expected_memory_error, trust.expected_memory_error);
      set(Metric::memory_used_low, trust.memory_low * memory);
      set(Metric::memory_used_high, trust.memory_high * memory);
    }
    const std::optional<EntryLaw>& law = decoded_.laws[codes.code(Parameter::law, i)];
    const bool wants_law = out.wants(Metric::optimal_learning_rate) || out.wants(Metric::optimal_batch_tokens) ||
                           out.wants(Metric::loss_excess);
    if (!wants_law || !law || point.point.execution.phase == Phase::forward) return;
    const LawFigures figures = law_figures(*law, point.point, number(Parameter::train_tokens, codes, i),
                                           number(Parameter::learning_rate, codes, i));
    set(Metric::optimal_learning_rate, figures.learning_rate);
    set(Metric::optimal_batch_tokens, figures.batch_tokens);
    set(Metric::loss_excess, figures.loss_excess);
  }

  template <class Set>
  static void write_times(const Set& set, const StepEstimate& estimate) {
    const TimeBreakdown& t = estimate.time;
    set(Metric::forward_time, t.forward.value());
    set(Metric::backward_time, t.backward.value());
    set(Metric::optimizer_time, t.optimizer.value());
    set(Metric::recompute_time, t.recompute.value());
    set(Metric::bubble_time, t.bubble.value());
    set(Metric::tensor_comm_time, t.tensor_exchange.value());
    set(Metric::pipeline_comm_time, t.stage_exchange.value());
    set(Metric::data_comm_time, t.data_exchange.value());
    set(Metric::offload_time, t.offload.value());
    set(Metric::expert_comm_time, t.expert_exchange.value());
    set(Metric::context_comm_time, t.context_exchange.value());
    set(Metric::host_time, t.host.value());
    set(Metric::imbalance_time, t.imbalance.value());
    set(Metric::straggler_time, t.straggler.value());
    set(Metric::offload_used, estimate.memory.host.total().value());
    set(Metric::utilization, estimate.model_flops_utilization_causal);
    set(Metric::model_flops_utilization, estimate.model_flops_utilization_causal);
    set(Metric::model_flops_utilization_full, estimate.model_flops_utilization_full);
    set(Metric::hardware_flops_utilization, estimate.hardware_flops_utilization);
  }

  template <class Set>
  static void write_rates(const Set& set, const Point& point, const StepEstimate& estimate, double train_tokens,
                          double device_hour_price) {
    const double devices = device_count(point.point.execution.parallel);
    const double step = estimate.step_time().value();
    const double token_rate = estimate.tokens / step;
    const double power = devices * point.system.power.value();
    const double run = train_tokens / token_rate;
    const double cost_rate = devices * device_hour_price / seconds_per_hour;
    set(Metric::token_rate, token_rate);
    set(Metric::token_rate_per_device, token_rate / devices);
    set(Metric::system_cost, devices * point.system.price.value());
    set(Metric::system_power, power);
    set(Metric::time_to_train, run);
    set(Metric::train_days, run / seconds_per_day);
    set(Metric::train_energy, power * run);
    set(Metric::energy_per_token, power / token_rate);
    set(Metric::train_cost, cost_rate * run);
    set(Metric::cost_per_million_tokens, cost_rate / token_rate * 1e6);
  }

  [[nodiscard]] double number(Parameter parameter, const PointCodes& codes, std::size_t i) const {
    return decoded_.numbers[parameter][codes.code(parameter, i)];
  }

  const SweepValues& values_;
  DecodedValues decoded_;
  PartSpaces spaces_;
  SpareObjects<PointWalk> walks_;
};

}  // namespace

std::unique_ptr<PreparedSweep> prepare_sweep(const SweepValues& values) {
  return std::make_unique<PreparedTraining>(values);
}

}  // namespace dfsweep::training
