#include "models/training/points/metric_columns.hpp"

#include <limits>

#include "models/training/points/memory_reason.hpp"

namespace dfsweep::training::calculon {

namespace {

double shortfall(const Results& results) {
  const System& system = results.inputs.system;
  const Rejection memory = memory_rejection(results.memory, system);
  if (memory == Rejection::memory_tier_1) return shortfall_of(results.memory.tier_1, system.memory.capacity);
  if (memory == Rejection::memory_tier_2) return shortfall_of(results.memory.tier_2, system.offload.capacity);
  return absent;
}

}  // namespace

void MetricColumns::reject(std::size_t point, Rejection rejection) const {
  out_.status[point] = status_of(rejection);
  for (const std::span<double>& column : out_.metrics) column[point] = std::numeric_limits<double>::quiet_NaN();
}

void MetricColumns::write(std::size_t point, const Results& results, const Layout& layout, double train_tokens) const {
  out_.status[point] = status_of(memory_rejection(results.memory, results.inputs.system));
  const std::array<double, output_count> figures = outputs(results);
  const auto metrics = metrics_of_outputs();
  for (std::size_t f = 0; f < output_count; ++f) out_.metrics[metrics[f]][point] = figures[f];
  write_own(point, results, layout, train_tokens);
}

void MetricColumns::write_own(std::size_t point, const Results& results, const Layout& layout,
                              double train_tokens) const {
  constexpr double seconds_per_day = 86400.0;
  const auto set = [&](Metric metric, double value) { out_.metrics[index_of(metric)][point] = value; };
  const double devices = static_cast<double>(layout.execution.processors);
  const double token_rate = sample_rate(results) * static_cast<double>(layout.model.sequence);
  const double power = devices * layout.system->power;
  const double time_to_train = train_tokens / token_rate;
  set(Metric::shortfall, shortfall(results));
  set(Metric::offload_time, results.times.forward_offload + results.times.backward_offload);
  set(Metric::token_rate, token_rate);
  set(Metric::token_rate_per_device, token_rate / devices);
  set(Metric::system_cost, devices * layout.system->price);
  set(Metric::system_power, power);
  set(Metric::time_to_train, time_to_train);
  set(Metric::train_days, time_to_train / seconds_per_day);
  set(Metric::train_energy, power * time_to_train);
  set(Metric::energy_per_token, power / token_rate);
}

}  // namespace dfsweep::training::calculon
