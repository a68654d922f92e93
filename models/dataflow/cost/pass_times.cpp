/// Sums over partitions and the choice of a schedule.
#include "models/dataflow/cost/pass_times.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

struct ClassRates {
  SecondsPerFlop flop;        ///< 0 with the cycle model
  Seconds cycle;              ///< 0 without the cycle model
  SecondsPerByte byte;        ///< inverse DRAM bandwidth
  double weight_share = 0.0;  ///< share of the weight traffic charged to one pass
  Bytes sram;
};

template <Overlap mode, WeightReload reload>
PassTimes sum_over_classes(std::span<const PartitionClass> classes, const ClassRates& rates,
                           std::span<const NetworkTime> network) {
  PassTimes times;
  for (const PartitionClass& c : classes) {
    const Seconds compute = c.flop * rates.flop + c.cycles * rates.cycle;
    double loads = rates.weight_share;
    if constexpr (reload == WeightReload::by_sram) loads = loads_per_pass(c.weights, c.rows, loads, rates.sram);
    const Seconds memory = (c.activations + c.weights * loads) * rates.byte;
    const Seconds net = network[c.network].total;
    times.total += c.count * combined(mode, compute, memory, net);
    times.compute += c.count * compute;
    times.memory += c.count * memory;
    times.network += c.count * net;
  }
  return times;
}

template <WeightReload reload>
PassTimes pass_times(Overlap overlap, std::span<const PartitionClass> classes, const ClassRates& rates,
                     std::span<const NetworkTime> network) {
  switch (overlap) {
    case Overlap::perfect:
      return sum_over_classes<Overlap::perfect, reload>(classes, rates, network);
    case Overlap::none:
      return sum_over_classes<Overlap::none, reload>(classes, rates, network);
    case Overlap::network_exposed:
      return sum_over_classes<Overlap::network_exposed, reload>(classes, rates, network);
  }
  return {};
}

}  // namespace

FastestSchedule fastest_schedule(std::span<const Schedule> schedules, const PointRates& point,
                                 std::span<const NetworkTime> network) {
  const StepInputs& in = point.inputs;
  ClassRates rates;
  if (in.compute_utilization == 0.0)
    rates.cycle = 1.0 / in.frequency;
  else
    rates.flop = 1.0 / in.used_flops();
  rates.byte = 1.0 / in.dram_bandwidth;
  FastestSchedule fastest;
  for (const Schedule& schedule : schedules) {
    if (schedule.sram > in.sram_capacity) continue;
    const bool resident = weights_are_resident(schedule, point.layout, in.sram_capacity);
    rates.weight_share = resident ? 0.0 : point.shares.each;
    rates.sram = in.sram_capacity;
    const bool reloads = schedule.reload == WeightReload::by_sram && !resident;
    const PassTimes times = reloads ? pass_times<WeightReload::by_sram>(in.overlap, schedule.classes, rates, network)
                                    : pass_times<WeightReload::none>(in.overlap, schedule.classes, rates, network);
    if (fastest.schedule == nullptr || times.total < fastest.times.total) fastest = {times, &schedule};
  }
  return fastest;
}

Seconds pass_latency(const ChipShare& share, std::span<const NetworkTime> network) {
  Seconds latency;
  for (std::size_t n = 0; n < share.network_uses.size(); ++n) latency += share.network_uses[n] * network[n].latency;
  return latency;
}

Fit fit_of(Bytes memory_used, std::span<const Schedule> schedules, const FastestSchedule& fastest,
           const StepInputs& in) {
  if (memory_used > in.dram_capacity) return {StepStatus::out_of_memory, memory_used / in.dram_capacity};
  if (fastest.schedule != nullptr) return {};
  Fit fit{.status = StepStatus::out_of_sram};
  Bytes least = schedules.front().sram;
  for (const Schedule& schedule : schedules) least = std::min(least, schedule.sram);
  if (in.sram_capacity > Bytes{}) fit.shortfall = least / in.sram_capacity;
  return fit;
}

MemoryUse memory_use(const ChipShare& share, const Layout& layout, const Batches& batches) {
  const double in_flight = std::min(layout.pipeline_parallel, batches.micro_batches) * batches.micro_batch;
  return {.state = share.state * layout.layers_per_stage,
          .live = share.live * batches.micro_batch,
          .kept = share.kept * layout.layers_per_stage * in_flight,
          .machine = share.machine};
}

}  // namespace dfsweep::dataflow
