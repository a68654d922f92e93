#include "models/training/measured/measured_point.hpp"

#include "models/training/measured/decision.hpp"

namespace dfsweep::training {

TrainingPoint measured_point(const RowReading& reading, const Accelerator& accelerator, const Network& network,
                             const Software& software) {
  TrainingPoint point{reading.architecture, reading.execution, accelerator, network, software};
  point.network.enclosures = {.node = reading.links.node_devices, .pod = 0};
  point.network.node_links = reading.links.node_links;
  if (reading.links.inside > Bandwidth{}) point.network.inside.bandwidth = reading.links.inside;
  if (reading.links.across > Bandwidth{}) point.network.across.bandwidth = reading.links.across;
  StateBytes& bytes = point.execution.bytes;
  if (reading.weights == KeptWeights::narrow) bytes.weight = software.kept.narrow_weight;
  if (reading.weights == KeptWeights::frozen) bytes.weight = software.kept.frozen_weight;
  return decide(point, reading.undecided);
}

Seconds measured_step_time(const MeasuredRow& row, const TrainingPoint& point) {
  const Execution& e = point.execution;
  const double tokens = e.batch.global * e.batch.sequence / device_count(e.parallel);
  for (const std::string_view column : {"tokens_per_second_per_device", "tokens_per_second_derived"})
    if (const auto rate = row.number(column); rate && *rate > 0) return Seconds{tokens / *rate};
  if (const auto time = row.number("step_time_s"); time && *time > 0) return Seconds{*time};
  const double utilization = row.number_or("utilization_causal", 0);
  if (utilization <= 0) return {};
  const Flop per_token{row.number_or("flops_per_token_causal", 0)};
  return tokens * per_token / (utilization * peak(point.accelerator, e.format));
}

Bytes measured_memory(const MeasuredRow& row) {
  constexpr Bytes gibibyte{1024.0 * 1024.0 * 1024.0};
  if (const auto peak = row.number("memory_peak_allocated_bytes")) return Bytes{*peak};
  return row.number_or("memory_reported_gib", 0) * gibibyte;
}

}  // namespace dfsweep::training
