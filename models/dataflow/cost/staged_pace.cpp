/// Times of stages and the slowest stage.
#include "models/dataflow/cost/staged_pace.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

/// Severity of statuses: missing cores first, then DRAM, then SRAM, as for whole graphs.
StepStatus worse(StepStatus a, StepStatus b) {
  for (const StepStatus status : {StepStatus::no_mapping, StepStatus::out_of_memory, StepStatus::out_of_sram})
    if (a == status || b == status) return status;
  return StepStatus::ok;
}

}  // namespace

StageTimes stage_times(const MappedStage& stage, const PointRates& point, std::span<const NetworkTime> network) {
  const StepInputs& in = point.inputs;
  StageTimes times;
  const std::span<const Schedule> schedules = schedules_for(stage, in);
  if (schedules.empty()) {
    times.status = StepStatus::no_mapping;
    return times;
  }
  const FastestSchedule fastest = fastest_schedule(schedules, point, network);
  times.pass = fastest.times;
  times.schedule = fastest.schedule;
  times.memory_used = memory_use(stage, point.layout, point.batches).total();
  const Fit fit = fit_of(times.memory_used, schedules, fastest, in);
  times.status = fit.status;
  times.shortfall = fit.shortfall;
  const Seconds hops = stage.messages * dot(point.layout.stage_link_steps, in.link_latency) * point.shares.each;
  times.transfer = stage.sent * dot(point.layout.stage_link, in.link_time()) + hops;
  times.pass.network += times.transfer;
  times.pass.latency = pass_latency(stage, network) + hops;
  times.pass.total = stage_time(in.overlap, times.pass.total, times.transfer);
  return times;
}

Pace pace_of_stages(const MappedWorkload& mapped, const PointRates& point, std::span<const NetworkTime> network) {
  Pace pace;
  Seconds sum;
  for (const MappedStage& stage : mapped.stages) {
    const StageTimes times = stage_times(stage, point, network);
    const StepStatus before = pace.status;
    pace.status = worse(before, times.status);
    if (pace.status != before)
      pace.shortfall = times.shortfall;
    else if (pace.status == times.status && times.shortfall > pace.shortfall)
      pace.shortfall = times.shortfall;
    pace.memory_used = std::max(pace.memory_used, times.memory_used);
    if (times.pass.total > pace.pass.total || &stage == &mapped.stages.front()) pace.pass = times.pass;
    sum += times.pass.total;
    if (point.convention.gradient_charge == GradientCharge::spread) continue;
    const Seconds gradients = gradient_seconds(stage.traffic, point.network);
    if (gradients <= pace.gradients) continue;
    pace.gradients = gradients;
    pace.gradient_latency = gradient_latency(stage.traffic, point.network);
  }
  pace.fill = std::max(Seconds{}, sum - pace.pass.total) * point.batches.micro_batch;
  return pace;
}

}  // namespace dfsweep::dataflow
