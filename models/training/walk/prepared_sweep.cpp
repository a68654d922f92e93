#include "models/training/walk/prepared_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/machine/memory_reason.hpp"
#include "models/prepared/spare_objects.hpp"
#include "models/training/points/explanation.hpp"
#include "models/training/points/points.hpp"
#include "models/training/step/estimate.hpp"
#include "models/training/step/step_watts.hpp"
#include "models/training/walk/point_walk.hpp"

namespace dfsweep::training {

namespace {

constexpr double seconds_per_hour = 3600.0;

/// Average watts of all devices and of the rest of their nodes.
Watts system_average_power(const Point& point, Watts device) {
  return device_count(point.point.execution.parallel) * (device + cost::rest_of_node(point.bill));
}

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

/// The interval of 95 % from the one of 90 % where it is stated, else from the median error: errors are log-normal.
whole_run::StepError step_error(const Trust& trust) {
  constexpr double of_half = 0.6744897501960817;  // quantiles of the normal distribution: 75 %, 95 %, 97.5 %
  constexpr double of_90_percent = 1.6448536269514722;
  constexpr double of_95_percent = 1.959963984540054;
  if (is_given(trust.measured_low) && is_given(trust.measured_high) && trust.measured_low > 0.0) {
    const double wider = of_95_percent / of_90_percent;
    return {std::max(0.0, -wider * std::log(trust.measured_low)), std::max(0.0, wider * std::log(trust.measured_high))};
  }
  if (!is_given(trust.expected_error)) return {};
  const double half = of_95_percent / of_half * std::log1p(trust.expected_error);
  return {half, half};
}

whole_run::RunStep run_step(const Point& point, const StepEstimate& estimate, const Trust* trust) {
  const double devices = device_count(point.point.execution.parallel);
  whole_run::RunStep step{estimate.step_time(),
                          point.point.execution.batch.global,
                          point.point.execution.batch.sequence,
                          devices,
                          system_average_power(point, average_watts(point.point.software.power, point.bill, estimate)),
                          point.products.value_or(NumberFormat::bf16),
                          devices * point.bill.price};
  if (trust != nullptr) step.error = step_error(*trust);
  return step;
}

class PreparedTraining final : public PreparedSweep {
 public:
  explicit PreparedTraining(const SweepValues& values)
      : values_(values), decoded_(decoded_values(values)), spaces_(values, decoded_), runs_(values, run_places) {
    constexpr double some = 1.0;
    for (const std::optional<Trust>& trust : decoded_.trusts)
      trusts_of_experts_.push_back(trust_of_model(trust.value_or(Trust{}), some));
  }

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const whole_run::RunColumns run(runs_, points, out);
    std::unique_ptr<PointWalk> walk = walks_.take([&] { return std::make_unique<PointWalk>(decoded_, spaces_); });
    const auto column_of = [&](Metric metric) { return out.wants(metric) ? out[metric].data() : nullptr; };
    const Block block{codes,
                      points,
                      run,
                      wants_more_than_few(out),
                      wants_costs(out),
                      out.wants(Metric::cost_per_million_tokens),
                      run.is_needed(),
                      run.wants_power(),
                      column_of(Metric::step_time),
                      column_of(Metric::sample_rate),
                      column_of(Metric::memory_used)};
    for (std::size_t first = 0; first < points.count(); first += walk_run) {
      const std::size_t count = walk->start_run(points, first);
      for (const std::span<double> column : out.metrics)
        if (!column.empty()) std::fill_n(column.subspan(first).begin(), count, absent);
      for (std::size_t k = 0; k < count; ++k) evaluate_point(block, first + k, walk->go_to(codes, k), *walk, out);
    }
    walks_.give_back(std::move(walk));
  }

  bool leaves_out_unwanted() const override { return true; }

  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    const Point point = point_at(decoded_, codes, 0);
    if (point.status != status_ok) return explain_point(point, statuses()[point.status]);
    const StepEstimate estimate = estimate_step(point.point);
    const std::uint8_t status = fit_status(estimate.fit);
    if (point.point.execution.phase == Phase::forward) return explain_point(point, statuses()[status]);
    const whole_run::RunExplanation run =
        explain_run(runs_, points, run_step(point, estimate, trust_at(codes, 0, point.point.architecture)));
    const bool is_rejected = status == status_ok && run.status.has_value();
    Explanation all = explain_point(
        point, statuses()[is_rejected ? run_places.first_status + index_of(*run.status) : std::size_t{status}]);
    if (is_rejected) all.facts.insert(all.facts.begin() + 1, {"reason", run.reason, ""});
    if (run.section) all.sections.insert(all.sections.begin(), *run.section);
    return all;
  }

 private:
  struct Block {
    const PointCodes& codes;
    const PointColumns& points;
    const whole_run::RunColumns& run;
    bool wants_more;   ///< wants_more_than_few()
    bool wants_costs;  ///< wants_costs()
    bool wants_hours;  ///< the price of an hour
    bool needs_run;    ///< whether `run` has something to write
    bool needs_power;  ///< and reads power and price
    // Columns that searches ask for; null where they are not read.
    double* step_time;
    double* sample_rate;
    double* memory_used;
  };

  /// Of the kind of model; null where the software has none.
  const Trust* trust_at(const PointCodes& codes, std::size_t i, const Architecture& model) const {
    const std::uint32_t code = codes.code(Parameter::software, i);
    if (!decoded_.trusts[code]) return nullptr;
    return model.experts.count > 0.0 ? &trusts_of_experts_[code] : &*decoded_.trusts[code];
  }

  /// `broken`: the first rule that the point breaks, where the walk is.
  void evaluate_point(const Block& block, std::size_t i, Rule broken, PointWalk& walk, EstimateColumns& out) const {
    out.status[i] = status_of(broken);
    if (broken != Rule::none) return;
    out.status[i] = fit_status(walk.fit());
    if (out.wanted_rows == WantedRows::ok && out.status[i] != status_ok) return;
    const bool wants_costs = block.wants_costs || block.needs_power;
    const StepEstimate& estimate = block.wants_more || wants_costs ? walk.whole_step() : walk.step();
    if (wants_costs) walk.find_bill(block.codes);
    const double step_time = estimate.step_time().value();
    const Point& point = walk.point();
    if (block.step_time != nullptr) block.step_time[i] = step_time;
    if (block.sample_rate != nullptr) block.sample_rate[i] = point.point.execution.batch.global / step_time;
    if (block.memory_used != nullptr) block.memory_used[i] = estimate.memory.device.total().value();
    if (block.wants_more) write(out, i, point, estimate, block);
    if (block.needs_run && point.point.execution.phase == Phase::train)
      block.run.write(i, run_step(point, estimate, trust_at(block.codes, i, point.point.architecture)));
  }

  /// Searches and plots often ask for time, memory and rate alone, which are written without asking for all others.
  static bool wants_more_than_few(const EstimateColumns& out) {
    return std::any_of(all_of<Metric>.begin(), all_of<Metric>.end(), [&](Metric metric) {
      const bool is_one = metric == Metric::step_time || metric == Metric::memory_used || metric == Metric::sample_rate;
      return !is_one && out.wants(metric);
    });
  }

  static bool wants_costs(const EstimateColumns& out) {
    using enum Metric;
    constexpr auto costs =
        published::joined(std::array{system_cost, system_power, energy_per_token, cost_per_million_tokens},
                          cost::places_of<Metric, cost::PriceMetric>, cost::places_of<Metric, cost::WattsMetric>);
    return std::any_of(std::begin(costs), std::end(costs), [&](Metric metric) { return out.wants(metric); });
  }

  void write(EstimateColumns& out, std::size_t i, const Point& point, const StepEstimate& estimate,
             const Block& block) const {
    const auto set = [&](Metric metric, double value) {
      if (!out.metrics[index_of(metric)].empty()) out.metrics[index_of(metric)][i] = value;
    };
    write_times(set, estimate);
    set(Metric::compute_precision, static_cast<double>(index_of(point.products.value_or(NumberFormat::bf16))));
    set(Metric::evidence, static_cast<double>(index_of(point.evidence)));
    set(Metric::shortfall, shortfall(point.point, estimate));
    const double token_rate = estimate.tokens / estimate.step_time().value();
    set(Metric::token_rate, token_rate);
    set(Metric::token_rate_per_device, token_rate / device_count(point.point.execution.parallel));
    if (block.wants_costs) write_costs(set, point, estimate, block, i);
    if (const Trust* trust = trust_at(block.codes, i, point.point.architecture)) {
      const double step = estimate.step_time().value();
      set(Metric::expected_error, trust->expected_error);
      set(Metric::step_time_low, trust->measured_low * step);
      set(Metric::step_time_high, trust->measured_high * step);
      const double memory = estimate.memory.device.total().value();
      set(Metric::expected_memory_error, trust->expected_memory_error);
      set(Metric::memory_used_low, trust->memory_low * memory);
      set(Metric::memory_used_high, trust->memory_high * memory);
    }
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
  void write_costs(const Set& set, const Point& point, const StepEstimate& estimate, const Block& block,
                   std::size_t i) const {
    const double devices = device_count(point.point.execution.parallel);
    const double token_rate = estimate.tokens / estimate.step_time().value();
    const Watts average = average_watts(point.point.software.power, point.bill, estimate);
    const cost::OwnedSystem system{devices * point.bill.price, system_average_power(point, average)};
    if (block.wants_hours) {
      const double hour_price = runs_.device_hour_price_at(block.points, i, system, devices);
      set(Metric::cost_per_million_tokens, devices * hour_price / seconds_per_hour / token_rate * 1e6);
    }
    set(Metric::system_cost, system.price.value());
    set(Metric::system_power, (devices * point.bill.power).value());
    cost::write_sources<Metric>(set, point.bill.price_source, point.bill.power_source);
    cost::write_watts<Metric>(set, {average, system.average_power, devices, token_rate}, point.bill.has_measured_watts);
    set(Metric::energy_per_token, system.average_power.value() / token_rate);
  }

  const SweepValues& values_;
  DecodedValues decoded_;
  std::vector<Trust> trusts_of_experts_;  ///< [code of software], of models with experts
  PartSpaces spaces_;
  whole_run::RunSweep runs_;
  SpareObjects<PointWalk> walks_;
};

}  // namespace

std::unique_ptr<PreparedSweep> prepare_sweep(const SweepValues& values) {
  return std::make_unique<PreparedTraining>(values);
}

}  // namespace dfsweep::training
