#include "models/calculon/points/metric_columns.hpp"

#include <algorithm>
#include <array>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/machine/memory_reason.hpp"

namespace dfsweep::calculon {

namespace {

/// What metrics with names of dfsweep are computed from.
struct OwnInputs {
  const Results& results;
  const TrainingSystem& system;
  const PricedDevice& device;
  Rejection memory = Rejection::none;
  double devices = 1.0;
  double sample_rate = 0.0;
  double token_rate = 0.0;
};

double shortfall(const OwnInputs& in) {
  const MemoryUse& use = in.results.memory;
  const System& system = in.system.system;
  if (in.memory == Rejection::memory_tier_1) return shortfall_of(use.tier_1, system.memory.capacity);
  if (in.memory == Rejection::memory_tier_2) return shortfall_of(use.tier_2, system.offload.capacity);
  return absent;
}

/// Absent where the metric does not apply.
double own_value(Metric metric, const OwnInputs& in) {
  const BatchTimes& t = in.results.times;
  switch (metric) {
    case Metric::step_time:
      return t.total;
    case Metric::forward_time:
      return t.forward;
    case Metric::backward_time:
      return t.backward;
    case Metric::optimizer_time:
      return t.optimizer;
    case Metric::recompute_time:
      return t.recompute;
    case Metric::bubble_time:
      return t.bubble;
    case Metric::tensor_comm_time:
      return t.tensor_exposed;
    case Metric::pipeline_comm_time:
      return t.pipeline;
    case Metric::data_comm_time:
      return t.data.exposed;
    case Metric::offload_time:
      return t.forward_offload + t.backward_offload;
    case Metric::memory_used:
      return in.results.memory.tier_1;
    case Metric::offload_used:
      return in.results.memory.tier_2;
    case Metric::sample_rate:
      return in.sample_rate;
    case Metric::token_rate:
      return in.token_rate;
    case Metric::token_rate_per_device:
      return in.token_rate / in.devices;
    case Metric::utilization:
      return efficiencies(in.results).total;
    case Metric::system_cost:
      return in.devices * in.device.bill.price.value();
    case Metric::system_power:
      return in.devices * in.device.bill.power.value();
    case Metric::energy_per_token:
      return in.device.system_average(in.devices).value() / in.token_rate;
    case Metric::shortfall:
      return shortfall(in);
    case Metric::prices:
    case Metric::watts:
    case Metric::count:
      break;
  }
  return absent;
}

}  // namespace

MetricColumns::MetricColumns(EstimateColumns& out) : out_(out) {
  for (const Metric metric : all_of<Metric>)
    if (out_.wants(metric)) own_.push_back(metric);
  const auto metrics = metrics_of_outputs();
  for (std::size_t output = 0; output < metrics.size(); ++output)
    if (metrics[output] >= count_of<Metric> && !out_.metrics[metrics[output]].empty())
      figures_.push_back({output, metrics[output]});
  for (MetricIndex metric = 0; metric < out_.metrics.size(); ++metric)
    if (!out_.metrics[metric].empty()) wanted_.push_back(metric);
  using enum Metric;
  constexpr auto priced =
      published::joined(std::array{system_cost, system_power, energy_per_token},
                        cost::places_of<Metric, cost::PriceMetric>, cost::places_of<Metric, cost::WattsMetric>);
  wants_bill_ = std::any_of(priced.begin(), priced.end(), [&](Metric metric) { return out_.wants(metric); });
}

void MetricColumns::reject(std::size_t point, Rejection rejection) const {
  out_.status[point] = status_of(rejection);
  if (out_.wanted_rows == WantedRows::ok) return;
  for (const MetricIndex metric : wanted_) out_.metrics[metric][point] = absent;
}

void MetricColumns::write(std::size_t point, const Results& results, Rejection memory, const Layout& layout,
                          const PricedDevice& device) const {
  out_.status[point] = status_of(memory);
  const double samples = sample_rate(results);
  const OwnInputs own{.results = results,
                      .system = *layout.system,
                      .device = device,
                      .memory = memory,
                      .devices = static_cast<double>(layout.execution.processors),
                      .sample_rate = samples,
                      .token_rate = samples * static_cast<double>(layout.model.sequence)};
  for (const Metric metric : own_) out_.metrics[index_of(metric)][point] = own_value(metric, own);
  if (wants_bill_) {
    const auto set = [&](Metric metric, double value) {
      if (out_.wants(metric)) out_.metrics[index_of(metric)][point] = value;
    };
    cost::write_sources<Metric>(set, device.bill.price_source, device.bill.power_source);
    const cost::AveragePower average{device.average, device.system_average(own.devices), own.devices, own.token_rate};
    cost::write_watts<Metric>(set, average, device.bill.has_measured_watts);
  }
  if (figures_.empty()) return;
  const std::array<double, output_count> figures = outputs(results);
  for (const Figure& figure : figures_) out_.metrics[figure.metric][point] = figures[figure.output];
}

}  // namespace dfsweep::calculon
