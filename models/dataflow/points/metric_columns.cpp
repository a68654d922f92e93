#include "models/dataflow/points/metric_columns.hpp"

#include <algorithm>
#include <array>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/dataflow/points/choice.hpp"
#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

namespace {

Status status_code(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return Status::ok;
    case StepStatus::invalid:
      return Status::invalid;
    case StepStatus::no_mapping:
      return Status::no_mapping;
    case StepStatus::out_of_memory:
      return Status::out_of_memory;
    case StepStatus::out_of_sram:
      return Status::out_of_sram;
    case StepStatus::unsupported_model:
      return Status::unsupported_model;
    case StepStatus::power_limit_too_low:
      return Status::power_limit_too_low;
  }
  return Status::failed;
}

}  // namespace

MetricColumns::MetricColumns(EstimateColumns& out) : out_(out) {
  using enum Metric;
  constexpr auto costs =
      published::joined(std::array{system_cost, system_power, cost_efficiency, power_efficiency, energy_per_token},
                        cost::places_of<Metric, cost::PriceMetric>, cost::places_of<Metric, cost::WattsMetric>);
  for (const Metric metric : all_of<Metric>) columns_[metric] = out.wants(metric) ? out[metric].data() : nullptr;
  for (const std::span<double> column : out.metrics)
    if (!column.empty()) all_.push_back(column.data());
  wants_costs_ = std::any_of(costs.begin(), costs.end(), [&](Metric metric) { return out.wants(metric); });
}

void MetricColumns::write_costs(std::size_t i, const Combination& at, const StepInputs& in, const Step& step,
                                const StepCosts& costs, double tokens) const {
  const auto set_metric = [&](Metric metric, double value) { set(i, metric, value); };
  const Throughput achieved = step.flop / step.step_time;
  const double token_rate = tokens / step.step_time.value();
  set(i, Metric::system_cost, costs.system_cost.value());
  set(i, Metric::system_power, costs.system_power.value());
  set(i, Metric::cost_efficiency, costs.system_cost > Dollars{} ? (achieved / costs.system_cost).value() : absent);
  set(i, Metric::power_efficiency, costs.system_power > Watts{} ? (achieved / costs.system_power).value() : absent);
  cost::write_sources<Metric>(set_metric, in.price_source, in.power_source);
  cost::write_watts<Metric>(
      set_metric, {costs.average_power, costs.system_average_power, at.layout->chips * in.copies, token_rate}, false);
  set(i, Metric::energy_per_token, costs.system_average_power.value() / token_rate);
}

void MetricColumns::write_step(std::size_t i, const Combination& at, const StepInputs& in, const Step& step) const {
  const Throughput achieved = step.flop / step.step_time;
  set(i, Metric::step_time, step.step_time.value());
  set(i, Metric::utilization, achieved / (at.layout->chips * in.copies * in.peak_flops));
  set(i, Metric::achieved_flops, achieved.value());
  set(i, Metric::compute_time, step.compute_time.value());
  set(i, Metric::memory_time, step.memory_time.value());
  set(i, Metric::network_time, step.network_time.value());
  set(i, Metric::bubble_time, step.bubble_time.value());
  set(i, Metric::partitions_used, at.mapped->partitions);
  set(i, Metric::memory_used, step.memory_used.value());
  set(i, Metric::optimality_gap, at.mapped->optimality_gap);
  for (const Metric m : chosen_metrics) set(i, m, absent);
  set(i, Metric::shortfall, absent);
  set(i, Metric::network_serialization, std::max(0.0, (step.network_time - step.network_latency).value()));
  set(i, Metric::network_latency, step.network_latency.value());
  const Bytes moved = at.layout->chips * in.copies * step.moved;
  const Bytes sent = at.layout->chips * step.sent;
  set(i, Metric::memory_intensity, moved > Bytes{} ? (step.flop / moved).value() : absent);
  set(i, Metric::network_intensity, sent > Bytes{} ? (step.flop / sent).value() : absent);
}

void MetricColumns::write_without_estimate(std::size_t i, Status status) const {
  out_.status[i] = index_of(status);
  for (double* const column : all_) column[i] = absent;
}

void MetricColumns::write(std::size_t i, const Combination& at, const StepInputs& in, const Step& step,
                          const std::optional<StepCosts>& costs, double tokens) const {
  if (step.status == StepStatus::ok) {
    out_.status[i] = index_of(Status::ok);
    write_step(i, at, in, step);
    if (costs) write_costs(i, at, in, step, *costs, tokens);
    return;
  }
  write_without_estimate(i, status_code(step.status));
  if (step.status == StepStatus::out_of_memory || step.status == StepStatus::out_of_sram) {
    set(i, Metric::memory_used, step.memory_used.value());
    set(i, Metric::shortfall, step.shortfall);
  }
}

}  // namespace dfsweep::dataflow
