#include "models/dataflow/points/metric_columns.hpp"

#include <algorithm>

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

/// `tokens`: of the step; NaN where the workload has none.
void write_power(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& in, const Step& step,
                 double tokens) {
  const auto set = [&](Metric metric, double value) { out[metric][i] = value; };
  const Watts average = system_average_power(*at.layout, in, step);
  const double token_rate = tokens / step.step_time.value();
  cost::write_sources<Metric>(set, in.price_source, in.power_source);
  cost::write_watts<Metric>(set, {step.average_power, average, at.layout->chips * in.copies, token_rate}, false);
  set(Metric::energy_per_token, average.value() / token_rate);
}

void write_step(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& in, const Step& step) {
  out.status[i] = index_of(Status::ok);
  const Throughput achieved = step.flop / step.step_time;
  out[Metric::step_time][i] = step.step_time.value();
  out[Metric::utilization][i] = achieved / (at.layout->chips * in.copies * in.peak_flops);
  out[Metric::achieved_flops][i] = achieved.value();
  out[Metric::compute_time][i] = step.compute_time.value();
  out[Metric::memory_time][i] = step.memory_time.value();
  out[Metric::network_time][i] = step.network_time.value();
  out[Metric::bubble_time][i] = step.bubble_time.value();
  out[Metric::partitions_used][i] = at.mapped->partitions;
  out[Metric::memory_used][i] = step.memory_used.value();
  out[Metric::system_cost][i] = step.system_cost.value();
  out[Metric::system_power][i] = step.system_power.value();
  out[Metric::cost_efficiency][i] = step.system_cost > Dollars{} ? (achieved / step.system_cost).value() : absent;
  out[Metric::power_efficiency][i] = step.system_power > Watts{} ? (achieved / step.system_power).value() : absent;
  out[Metric::optimality_gap][i] = at.mapped->optimality_gap;
  for (const Metric m : chosen_metrics) out[m][i] = absent;
  out[Metric::shortfall][i] = absent;
  out[Metric::network_serialization][i] = std::max(0.0, (step.network_time - step.network_latency).value());
  out[Metric::network_latency][i] = step.network_latency.value();
  const Bytes moved = at.layout->chips * in.copies * step.moved;
  const Bytes sent = at.layout->chips * step.sent;
  out[Metric::memory_intensity][i] = moved > Bytes{} ? (step.flop / moved).value() : absent;
  out[Metric::network_intensity][i] = sent > Bytes{} ? (step.flop / sent).value() : absent;
}

}  // namespace

Watts system_average_power(const Layout& layout, const StepInputs& in, const Step& step) {
  return step.system_power + layout.chips * in.copies * (step.average_power - in.power.limit);
}

void write_without_estimate(EstimateColumns& out, std::size_t i, Status status) {
  out.status[i] = index_of(status);
  for (const std::span<double>& column : out.metrics) column[i] = absent;
}

void write_point(EstimateColumns& out, std::size_t i, const Combination& at, const StepInputs& in, double tokens,
                 std::vector<NetworkTime>& scratch) {
  if (at.mapped == nullptr) {
    write_without_estimate(out, i, Status::invalid);
    return;
  }
  if (scratch.size() < network_count(*at.mapped)) scratch.resize(network_count(*at.mapped));
  const Step step = step_of(*at.mapped, *at.workload, *at.layout, *at.convention, in, scratch);
  if (step.status == StepStatus::ok) {
    write_step(out, i, at, in, step);
    write_power(out, i, at, in, step, tokens);
    return;
  }
  write_without_estimate(out, i, status_code(step.status));
  if (step.status == StepStatus::out_of_memory || step.status == StepStatus::out_of_sram) {
    out[Metric::memory_used][i] = step.memory_used.value();
    out[Metric::shortfall][i] = step.shortfall;
  }
}

}  // namespace dfsweep::dataflow
