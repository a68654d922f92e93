/// Sums over partitions, and the choice among schedules.
#include "models/dataflow/cost/pass_times.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

struct ClassRates {
  double seconds_per_flop = 0.0;   ///< 0 with the cycle model
  double seconds_per_cycle = 0.0;  ///< 0 without
  double seconds_per_byte = 0.0;   ///< of DRAM
  double weight_share = 0.0;       ///< part of the weight traffic that a pass carries
};

template <Overlap mode>
PassTimes sum_over_classes(std::span<const PartitionClass> classes, const ClassRates& rates,
                           std::span<const double> network) {
  PassTimes times;
  for (const PartitionClass& c : classes) {
    const double compute = c.flop * rates.seconds_per_flop + c.cycles * rates.seconds_per_cycle;
    const double memory = (c.activation_bytes + c.weight_bytes * rates.weight_share) * rates.seconds_per_byte;
    const double net = network[c.network];
    times.total += c.count * combined(mode, compute, memory, net);
    times.compute += c.count * compute;
    times.memory += c.count * memory;
    times.network += c.count * net;
  }
  return times;
}

PassTimes pass_times(Overlap overlap, std::span<const PartitionClass> classes, const ClassRates& rates,
                     std::span<const double> network) {
  switch (overlap) {
    case Overlap::perfect:
      return sum_over_classes<Overlap::perfect>(classes, rates, network);
    case Overlap::none:
      return sum_over_classes<Overlap::none>(classes, rates, network);
    case Overlap::network_exposed:
      return sum_over_classes<Overlap::network_exposed>(classes, rates, network);
  }
  return {};
}

}  // namespace

FastestSchedule fastest_schedule(std::span<const Schedule> schedules, const PointRates& point,
                                 std::span<const double> network) {
  const StepInputs& in = point.inputs;
  ClassRates rates;
  if (in.compute_utilization == 0.0)
    rates.seconds_per_cycle = 1.0 / in.frequency.value();
  else
    rates.seconds_per_flop = 1.0 / in.used_flops().value();
  rates.seconds_per_byte = 1.0 / in.dram_bandwidth.value();
  FastestSchedule fastest;
  for (const Schedule& schedule : schedules) {
    if (schedule.sram_bytes > in.sram_capacity.value()) continue;
    rates.weight_share = weights_are_resident(schedule, point.layout, in.sram_capacity) ? 0.0 : point.shares.each;
    const PassTimes times = pass_times(in.overlap, schedule.classes, rates, network);
    if (fastest.schedule == nullptr || times.total < fastest.times.total) fastest = {times, &schedule};
  }
  return fastest;
}

Fit fit_of(double memory_used, std::span<const Schedule> schedules, const FastestSchedule& fastest,
           const StepInputs& in) {
  if (memory_used > in.dram_capacity.value())
    return {StepStatus::out_of_memory, memory_used / in.dram_capacity.value()};
  if (fastest.schedule != nullptr) return {};
  Fit fit{.status = StepStatus::out_of_sram};
  double least = schedules.front().sram_bytes;
  for (const Schedule& schedule : schedules) least = std::min(least, schedule.sram_bytes);
  if (in.sram_capacity.value() > 0.0) fit.shortfall = least / in.sram_capacity.value();
  return fit;
}

MemoryUse memory_use(const ChipShare& share, const Layout& layout, const Batches& batches) {
  const double in_flight = std::min(layout.pipeline_parallel, batches.micro_batches) * batches.micro_batch;
  return {.state = share.state_bytes * layout.layers_per_stage,
          .live = share.live_bytes * batches.micro_batch,
          .kept = share.kept_bytes * layout.layers_per_stage * in_flight,
          .machine = share.machine_bytes};
}

}  // namespace dfsweep::dataflow
