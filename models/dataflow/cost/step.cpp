/// Time, cost and power of a step.
#include "models/dataflow/cost/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "models/dataflow/cost/staged_pace.hpp"

namespace dfsweep::dataflow {

namespace {

template <class PerBandwidth>
auto product(const PerLink& units, const PerLinkOf<Bandwidth>& bandwidth,
             const PerLinkOf<PerBandwidth>& per_bandwidth) {
  return units.first * bandwidth.first * per_bandwidth.first + units.outer * bandwidth.outer * per_bandwidth.outer;
}

/// Pre: `step` has its times and its FLOP.
Watts average_power(const Step& step, const Layout& layout, const StepInputs& in) {
  const double busy = 1.0 - step.bubble_time / step.step_time;
  const Seconds working = busy * step.step_time;
  cost::KernelWork work;
  work.busy = busy;
  work.byte_share = std::min(1.0, step.memory_time / working);
  work.flop_share = std::min(1.0, step.flop / (layout.chips * in.copies * in.peak_flops) / working);
  return cost::kernel_power({}, in.power, work);
}

Flop flop_of_step(const MappedWorkload& mapped, const Workload& workload, const Layout& layout, const StepInputs& in,
                  const Batches& batches) {
  switch (workload.spread) {
    case Spread::tensor_parallel:
      return mapped.flop * workload.layers * in.global_batch;
    case Spread::replicated:
      return mapped.flop * layout.split.chips * batches.passes;
    case Spread::grid:
    case Spread::columns:
      break;
  }
  return mapped.flop;
}

/// time = ((passes * layers * pass + transfers) (1 + bubble) + fill + costs once per step) / copies
void add_times(Step& step, const Pace& pace, const Layout& layout, const StepInputs& in, const Batches& batches) {
  const PassTimes& pass = pace.pass;
  const double passes = batches.passes * layout.layers_per_stage;
  const PerLinkOf<SecondsPerByte> inverse = in.link_time();
  const Seconds hops = dot(layout.transfer_steps, in.link_latency) * batches.micro_batches;
  const Seconds transfer = dot(layout.transfer_per_pass, inverse) * batches.passes + hops;
  const Seconds once = dot(layout.transfer_once, inverse) + pace.gradients;
  const Seconds steady = pass.total * passes + transfer;
  const double bubble = layout.bubble / batches.micro_batches;
  const double share = 1.0 / in.copies;
  step.compute_time = pass.compute * passes * share;
  step.memory_time = pass.memory * passes * share;
  step.network_time = (pass.network * passes + transfer + once) * share;
  step.network_latency = (pass.latency * passes + hops + pace.gradient_latency) * share;
  step.bubble_time = (steady * bubble + pace.fill) * share;
  step.step_time = (steady * (1.0 + bubble) + pace.fill + once) * share;
}

/// Bytes of a chip: those of its DRAM, and over its links those of collectives in all passes and layers, of gradients
/// once, and of transfers between stages.
void add_bytes(Step& step, const MappedWorkload& mapped, const Pace& pace, const Layout& layout, const StepInputs& in,
               const Batches& batches) {
  if (!mapped.stages.empty()) return;
  const PerLinkOf<Bytes>& each = layout.transfer_per_pass;
  const PerLinkOf<Bytes>& once = layout.transfer_once;
  step.moved = step.memory_time * in.dram_bandwidth;
  step.sent = (pace.sent.pass * batches.passes + pace.sent.gradients) * layout.layers_per_stage +
              (each.first + each.outer) * batches.passes + once.first + once.outer;
}

/// Every stage executes whole graphs, so all chips do the same work.
Pace pace_of_graph(const MappedWorkload& mapped, const PointRates& point, std::span<const NetworkTime> network) {
  const std::span<const Schedule> schedules = schedules_for(mapped, point.inputs);
  Pace pace;
  if (schedules.empty()) {
    pace.status = StepStatus::no_mapping;
    return pace;
  }
  const FastestSchedule fastest = fastest_schedule(schedules, point, network);
  pace.pass = fastest.times;
  pace.pass.latency = pass_latency(mapped, network);
  pace.sent = sent_bytes(mapped.traffic, point.layout);
  pace.memory_used = memory_use(mapped, point.layout, point.batches).total();
  pace.num_tile = (fastest.schedule != nullptr ? *fastest.schedule : schedules.back()).num_tile;
  const Fit fit = fit_of(pace.memory_used, schedules, fastest, point.inputs);
  pace.status = fit.status;
  pace.shortfall = fit.shortfall;
  if (point.convention.gradient_charge == GradientCharge::spread) return pace;
  pace.gradients = gradient_seconds(mapped.traffic, point.network) * point.layout.layers_per_stage;
  pace.gradient_latency = gradient_latency(mapped.traffic, point.network) * point.layout.layers_per_stage;
  return pace;
}

/// The times per layer are means over the layers, which all stages have in the same proportion; memory and status are
/// those of the kind of layer that needs more. `scratch` is overwritten.
Pace pace_with_dense_layers(Pace pace, const MappedWorkload& mapped, const PointRates& point,
                            std::span<NetworkTime> scratch) {
  const MappedWorkload& dense = *mapped.dense;
  for (std::size_t n = 0; n < dense.networks.size(); ++n)
    scratch[n] = network_time(dense.networks[n], point.network, point.shares);
  const Pace other = pace_of_graph(dense, point, scratch);
  if (pace.status == StepStatus::ok) {
    pace.status = other.status;
    pace.shortfall = other.shortfall;
  }
  pace.memory_used = std::max(pace.memory_used, other.memory_used);
  pace.pass = mean_of_layers(pace.pass, other.pass, mapped.dense_share);
  const auto mean = [share = mapped.dense_share](auto own, auto dense_one) {
    return (1.0 - share) * own + share * dense_one;
  };
  pace.gradients = mean(pace.gradients, other.gradients);
  pace.gradient_latency = mean(pace.gradient_latency, other.gradient_latency);
  pace.sent = {mean(pace.sent.pass, other.sent.pass), mean(pace.sent.gradients, other.sent.gradients)};
  return pace;
}

}  // namespace

Step step_of(const MappedWorkload& mapped, const Workload& workload, const Layout& layout, const Convention& convention,
             const StepInputs& in, std::span<NetworkTime> scratch) {
  Step step;
  const Batches batches = batches_of(workload, layout, convention, in);
  if (!mapped.unsupported.empty()) {
    step.status = StepStatus::unsupported_model;
    return step;
  }
  if (!batches.whole || !mapped.problem.empty()) {
    step.status = batches.whole ? StepStatus::no_mapping : StepStatus::invalid;
    return step;
  }
  if (!in.keeps_power_limit) {
    step.status = StepStatus::power_limit_too_low;
    return step;
  }
  const PointRates point(layout, convention, in, batches);
  for (std::size_t n = 0; n < mapped.networks.size(); ++n)
    scratch[n] = network_time(mapped.networks[n], point.network, point.shares);
  Pace pace = mapped.stages.empty() ? pace_of_graph(mapped, point, scratch) : pace_of_stages(mapped, point, scratch);
  if (mapped.dense) pace = pace_with_dense_layers(pace, mapped, point, scratch);
  step.status = pace.status;
  step.memory_used = pace.memory_used;
  step.num_tile = pace.num_tile;
  step.shortfall = pace.shortfall;
  if (step.status != StepStatus::ok) return step;
  step.flop = flop_of_step(mapped, workload, layout, in, batches);
  add_times(step, pace, layout, in, batches);
  add_bytes(step, mapped, pace, layout, in, batches);
  return step;
}

StepCosts costs_of(const Step& step, const Layout& layout, const StepInputs& in) {
  const Dollars memory_price = is_given(in.memory_price)
                                   ? in.memory_price
                                   : in.dram_bandwidth * in.dram_price_per_bandwidth + in.dram_capacity_price;
  const Watts memory_power = in.dram_bandwidth * in.dram_power_per_bandwidth + in.dram_capacity_power;
  const Dollars links = is_given(in.link_price)
                            ? layout.chips * in.link_price
                            : product(layout.link_units, in.link_bandwidth, in.link_price_per_bandwidth) +
                                  product(layout.switch_units, in.link_bandwidth, in.switch_price_per_bandwidth);
  StepCosts costs;
  costs.system_cost = in.copies * (layout.chips * (memory_price + in.device_price + in.host_price) + links);
  costs.system_power =
      in.copies * (layout.chips * (memory_power + in.device_power - in.power_saved) +
                   product(layout.link_power_units, in.link_bandwidth, in.link_power_per_bandwidth) +
                   product(layout.switch_power_units, in.link_bandwidth, in.switch_power_per_bandwidth));
  costs.average_power = average_power(step, layout, in);
  costs.system_average_power = costs.system_power + layout.chips * in.copies * (costs.average_power - in.power.limit);
  return costs;
}

LeastStep least_step(const MappedWorkload* whole, const Workload& workload, const Layout& layout,
                     const Convention& convention, const StepInputs& in, Throughput cycle_flops) {
  const Batches batches = batches_of(workload, layout, convention, in);
  if (!batches.whole) return {Seconds{std::numeric_limits<double>::infinity()}, true};
  const Throughput rate = in.compute_utilization == 0.0 ? cycle_flops : in.used_flops();
  Pace pace;
  if (whole != nullptr) {
    const Schedule& schedule = whole->utilization_schedules.front();
    const PartitionClass& all = schedule.classes.front();
    const PassShares shares = pass_shares(convention, batches);
    const NetworkRates rates = network_rates(layout, in);
    const bool may_stay = resident_bytes(schedule.resident, layout) <= in.sram_capacity;
    const Bytes bytes = all.activations + (may_stay ? Bytes{} : all.weights * shares.each);
    pace.pass.total = combined(in.overlap, all.flop / rate, bytes / in.dram_bandwidth,
                               network_seconds(whole->networks[all.network], rates, shares));
    if (convention.gradient_charge != GradientCharge::spread)
      pace.gradients = gradient_seconds(whole->traffic, rates) * layout.layers_per_stage;
  } else if (workload.spread == Spread::tensor_parallel) {  // shards are rounded up, so their sum is at least the graph
    pace.pass.total = Flop{workload.flop} / (layout.split.tensor * rate * layout.stages_per_graph);
    pace.fill = pace.pass.total * (layout.stages_per_graph - 1.0) * batches.micro_batch;
  }
  Step step;
  add_times(step, pace, layout, in, batches);
  return {step.step_time, whole == nullptr || memory_use(*whole, layout, batches).total() <= in.dram_capacity};
}

bool equal_steps(const Layout& a, const Layout& b, const StepInputs& in) {
  if (a.stages_per_graph > 1.0 || b.stages_per_graph > 1.0) return false;
  const PerLinkOf<SecondsPerByte> inverse = in.link_time();
  const auto transfers = [&](const Layout& layout) {
    return std::tuple{dot(layout.transfer_once, inverse), dot(layout.transfer_per_pass, inverse),
                      dot(layout.transfer_steps, in.link_latency), layout.bubble, layout.layers_per_stage};
  };
  return a.split == b.split && a.pipeline_parallel == b.pipeline_parallel && a.data_parallel == b.data_parallel &&
         network_rates(a, in) == network_rates(b, in) && transfers(a) == transfers(b);
}

}  // namespace dfsweep::dataflow
