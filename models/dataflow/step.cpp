/// Time, cost and power of a step.
#include "models/dataflow/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dfsweep {

namespace {

double dot(const PerLink& a, const PerLink& b) {
  return a.first * b.first + a.outer * b.outer;
}

double product(const PerLink& units, const PerLink& bandwidth, const PerLink& per_bandwidth) {
  return units.first * bandwidth.first * per_bandwidth.first + units.outer * bandwidth.outer * per_bandwidth.outer;
}

/// Sums over the partitions of one layer and pass.
struct PassTimes {
  double total = 0.0;
  double compute = 0.0;
  double memory = 0.0;
  double network = 0.0;
};

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

void add_cost_and_power(Step& step, const Layout& layout, const StepInputs& in) {
  const double memory_price = in.dram_bandwidth * in.dram_price_per_bandwidth;
  const double memory_power = in.dram_bandwidth * in.dram_power_per_bandwidth;
  step.system_cost = in.copies * (layout.chips * (memory_price + in.device_price) +
                                  product(layout.link_units, in.link_bandwidth, in.link_price_per_bandwidth) +
                                  product(layout.switch_units, in.link_bandwidth, in.switch_price_per_bandwidth));
  step.system_power =
      in.copies * (layout.chips * (memory_power + in.device_power) +
                   product(layout.link_power_units, in.link_bandwidth, in.link_power_per_bandwidth) +
                   product(layout.switch_power_units, in.link_bandwidth, in.switch_power_per_bandwidth));
}

double memory_used(const MappedWorkload& mapped, const Layout& layout, const Batches& batches) {
  const double in_flight = std::min(layout.pipeline_parallel, batches.micro_batches) * batches.micro_batch;
  return mapped.state_bytes * layout.layers_per_stage + mapped.live_bytes * batches.micro_batch +
         mapped.kept_bytes * layout.layers_per_stage * in_flight + mapped.machine_bytes;
}

/// The fastest schedule that fits, null where none does, and its times of a pass.
struct Fastest {
  PassTimes times;
  const Schedule* schedule = nullptr;
};

Fastest fastest_schedule(std::span<const Schedule> schedules, const Layout& layout, const StepInputs& in,
                         double each_share, std::span<const double> network) {
  ClassRates rates;
  if (in.compute_utilization == 0.0)
    rates.seconds_per_cycle = 1.0 / in.frequency;
  else
    rates.seconds_per_flop = 1.0 / (in.compute_utilization * in.peak_flops);
  rates.seconds_per_byte = 1.0 / in.dram_bandwidth;
  Fastest fastest;
  for (const Schedule& schedule : schedules) {
    if (schedule.sram_bytes > in.sram_capacity) continue;
    rates.weight_share = weights_are_resident(schedule, layout, in.sram_capacity) ? 0.0 : each_share;
    const PassTimes times = pass_times(in.overlap, schedule.classes, rates, network);
    if (fastest.schedule == nullptr || times.total < fastest.times.total) fastest = {times, &schedule};
  }
  return fastest;
}

double flop_of_step(const MappedWorkload& mapped, const Workload& workload, const Layout& layout, const StepInputs& in,
                    const Batches& batches) {
  switch (workload.spread) {
    case Spread::tensor_parallel:
      return mapped.flop * workload.layers * in.global_batch;
    case Spread::replicated:
      return mapped.flop * layout.chips * batches.passes;
    case Spread::grid:
    case Spread::columns:
      break;
  }
  return mapped.flop;
}

/// time = (passes * layers * pass + transfers) (1 + bubble) + what happens once, over the copies.
void add_times(Step& step, const PassTimes& pass, const Layout& layout, const StepInputs& in, const Batches& batches,
               double gradients) {
  const double passes = batches.passes * layout.layers_per_stage;
  const PerLink inverse{1.0 / in.link_bandwidth.first, 1.0 / in.link_bandwidth.outer};
  const double transfer = dot(layout.transfer_per_pass, inverse) * batches.passes +
                          dot(layout.transfer_steps, in.link_latency) * batches.micro_batches;
  const double once = dot(layout.transfer_once, inverse) + gradients;
  const double steady = pass.total * passes + transfer;
  const double bubble = layout.bubble / batches.micro_batches;
  const double share = 1.0 / in.copies;
  step.compute_time = pass.compute * passes * share;
  step.memory_time = pass.memory * passes * share;
  step.network_time = (pass.network * passes + transfer + once) * share;
  step.bubble_time = steady * bubble * share;
  step.step_time = (steady * (1.0 + bubble) + once) * share;
}

}  // namespace

NetworkRates network_rates(const Layout& layout, const StepInputs& inputs) {
  const PerLink inverse{1.0 / inputs.link_bandwidth.first, 1.0 / inputs.link_bandwidth.outer};
  const PerLink& latency = inputs.link_latency;
  NetworkRates r{};
  r.all_reduce = dot(layout.all_reduce, inverse);
  r.all_gather = dot(layout.all_gather, inverse);
  r.all_to_all = dot(layout.all_to_all, inverse);
  r.exchange = std::max(layout.exchange.first * inverse.first, layout.exchange.outer * inverse.outer);
  r.gradient = dot(layout.gradient, inverse) + layout.gradient_seconds_per_byte;
  r.all_reduce_each = dot(layout.all_reduce_steps, latency);
  r.all_gather_each = dot(layout.all_gather_steps, latency);
  r.all_to_all_each = dot(layout.all_to_all_steps, latency);
  r.exchange_each = dot(layout.exchange_steps, latency);
  r.gradient_each = dot(layout.gradient_steps, latency);
  r.broadcast = inverse.outer;
  r.shift = inverse.first;
  r.broadcast_each = layout.broadcast_steps.outer * latency.outer;
  r.shift_each = layout.broadcast_steps.first * latency.first;
  return r;
}

double gradient_seconds(const NetworkTerms& terms, const NetworkRates& rates) {
  return terms.gradient_bytes * rates.gradient + terms.gradients * rates.gradient_each;
}

double network_seconds(const NetworkTerms& n, const NetworkRates& r, const PassShares& shares) {
  const double bytes = n.all_reduce_bytes * r.all_reduce + n.all_gather_bytes * r.all_gather +
                       n.all_to_all_bytes * r.all_to_all + n.exchange_bytes * r.exchange;
  const double each = n.all_reduces * r.all_reduce_each + n.all_gathers * r.all_gather_each +
                      n.all_to_alls * r.all_to_all_each + n.exchanges * r.exchange_each;
  const double broadcast = n.broadcast_bytes * r.broadcast + n.broadcasts * r.broadcast_each;
  const double shift = n.shift_bytes * r.shift + n.shifts * r.shift_each;
  return bytes + each * shares.each + gradient_seconds(n, r) * shares.gradient + std::max(broadcast, shift);
}

Batches batches_of(const Workload& workload, const Layout& layout, const Convention& convention, const StepInputs& in) {
  switch (workload.spread) {
    case Spread::tensor_parallel: {
      const double passes = in.global_batch / layout.data_parallel;
      const double micro_batches = passes / in.micro_batch;
      return {passes, in.micro_batch, micro_batches,
              micro_batches >= 1.0 && micro_batches == std::floor(micro_batches)};
    }
    case Spread::replicated: {
      const double unit = convention.batch_unit == BatchUnit::samples ? workload.samples_per_pass : 1.0;
      const double passes = in.global_batch / (layout.data_parallel * unit);
      return {passes, 1.0, passes, passes >= 1.0};
    }
    case Spread::grid:
    case Spread::columns:
      break;
  }
  return {1.0, 1.0, 1.0, true};
}

std::span<const Schedule> schedules_for(const MappedWorkload& mapped, const StepInputs& in) {
  return in.compute_utilization == 0.0 ? mapped.cycle_schedules : mapped.utilization_schedules;
}

bool weights_are_resident(const Schedule& schedule, const Layout& layout, double sram_capacity) {
  return schedule.resident_bytes * layout.layers_per_stage + schedule.buffer_bytes <= sram_capacity;
}

PassShares pass_shares(const Convention& convention, const Batches& batches) {
  return {convention.pass_unit == PassUnit::micro_batch ? 1.0 / batches.micro_batch : 1.0,
          convention.gradient_charge == GradientCharge::spread ? 1.0 / batches.micro_batches : 0.0};
}

PartitionTimes partition_times(const PartitionTerms& terms, const NetworkRates& rates, const PassShares& shares,
                               const StepInputs& in, Weights weights) {
  PartitionTimes times;
  times.compute = in.compute_utilization == 0.0 ? terms.cycles / in.frequency
                                                : terms.flop / (in.compute_utilization * in.peak_flops);
  const double weight_bytes = weights == Weights::resident ? 0.0 : terms.weight_bytes * shares.each;
  times.memory = (terms.activation_bytes + weight_bytes) / in.dram_bandwidth;
  times.network = network_seconds(terms.network, rates, shares);
  times.total = combined(in.overlap, times.compute, times.memory, times.network);
  return times;
}

Step step_of(const MappedWorkload& mapped, const Workload& workload, const Layout& layout, const Convention& convention,
             const StepInputs& in, std::span<double> scratch) {
  const Batches batches = batches_of(workload, layout, convention, in);
  if (!batches.whole) return {.status = StepStatus::invalid};
  if (!mapped.problem.empty()) return {.status = StepStatus::no_mapping};
  const PassShares shares = pass_shares(convention, batches);
  const NetworkRates rates = network_rates(layout, in);
  for (std::size_t n = 0; n < mapped.networks.size(); ++n)
    scratch[n] = network_seconds(mapped.networks[n], rates, shares);
  const std::span<const Schedule> schedules = schedules_for(mapped, in);
  const Fastest fastest = fastest_schedule(schedules, layout, in, shares.each, scratch);

  Step step;
  step.memory_used = memory_used(mapped, layout, batches);
  if (schedules.empty()) return {.status = StepStatus::no_mapping};
  step.num_tile = (fastest.schedule != nullptr ? *fastest.schedule : schedules.back()).num_tile;
  if (step.memory_used > in.dram_capacity)
    step.status = StepStatus::out_of_memory;
  else if (fastest.schedule == nullptr)
    step.status = StepStatus::out_of_sram;
  if (step.status != StepStatus::ok) return step;
  step.flop = flop_of_step(mapped, workload, layout, in, batches);
  const double gradients = convention.gradient_charge == GradientCharge::spread
                               ? 0.0
                               : gradient_seconds(mapped.network_sum, rates) * layout.layers_per_stage;
  add_times(step, fastest.times, layout, in, batches, gradients);
  add_cost_and_power(step, layout, in);
  return step;
}

double least_step_time(const Workload& workload, const Layout& layout, const Convention& convention,
                       const StepInputs& in, double cycle_flops) {
  const Batches batches = batches_of(workload, layout, convention, in);
  if (!batches.whole) return std::numeric_limits<double>::infinity();
  PassTimes pass;
  if (workload.spread == Spread::tensor_parallel) {  // shards are rounded up, so together they are at least the graph
    const double rate = in.compute_utilization == 0.0 ? cycle_flops : in.compute_utilization * in.peak_flops;
    pass.total = workload.flop / (layout.split.tensor * rate);
  }
  Step step;
  add_times(step, pass, layout, in, batches, 0.0);
  return step.step_time;
}

}  // namespace dfsweep
