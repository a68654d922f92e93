#include "models/dataflow/cost/rates.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::dataflow {

NetworkRates network_rates(const Layout& layout, const StepInputs& inputs) {
  const PerLinkOf<SecondsPerByte> inverse = inputs.link_time();
  NetworkRates rates;
  const auto rate = [&](Collective c) -> CollectiveRate {
    const LinkCost& cost = layout.collectives[c];
    return {dot(cost.bytes, inverse), dot(cost.steps, inputs.link_latency)};
  };
  rates[Collective::all_reduce] = rate(Collective::all_reduce);
  rates[Collective::all_gather] = rate(Collective::all_gather);
  rates[Collective::all_to_all] = rate(Collective::all_to_all);
  rates[Collective::exchange] = rate(Collective::exchange);
  rates[Collective::gradient] = rate(Collective::gradient);
  const PerLink& exchange = layout.collectives[Collective::exchange].bytes;
  rates[Collective::exchange].byte = std::max(exchange.first * inverse.first, exchange.outer * inverse.outer);
  rates[Collective::gradient].byte += layout.gradient_time_per_byte;
  if (layout.split.rows * layout.split.columns == 1.0) return rates;  // only grids of chips send block columns
  rates[Collective::broadcast] = rate(Collective::broadcast);
  rates[Collective::shift] = rate(Collective::shift);
  return rates;
}

Seconds gradient_seconds(const PerCollective<Traffic>& traffic, const NetworkRates& rates) {
  const Traffic& gradients = traffic[Collective::gradient];
  const CollectiveRate& rate = rates[Collective::gradient];
  return gradients.bytes * rate.byte + gradients.count * rate.each;
}

SentBytes sent_bytes(const PerCollective<Traffic>& traffic, const Layout& layout) {
  const auto sent = [&](Collective c) { return traffic[c].bytes * layout.sent[c]; };
  return {sent(Collective::all_reduce) + sent(Collective::all_gather) + sent(Collective::all_to_all) +
              sent(Collective::exchange) + sent(Collective::broadcast) + sent(Collective::shift),
          sent(Collective::gradient)};
}

NetworkTime network_time(const NetworkTerms& terms, const NetworkRates& rates, const PassShares& shares) {
  const auto moved = [&](Collective c) { return terms.traffic[c].bytes * rates[c].byte; };
  const auto started = [&](Collective c) { return terms.traffic[c].count * rates[c].each; };
  const Seconds bytes = moved(Collective::all_reduce) + moved(Collective::all_gather) + moved(Collective::all_to_all) +
                        moved(Collective::exchange);
  const Seconds each = started(Collective::all_reduce) + started(Collective::all_gather) +
                       started(Collective::all_to_all) + started(Collective::exchange);
  const CollectiveRate& broadcast = rates[Collective::broadcast];
  const CollectiveRate& shift = rates[Collective::shift];
  Seconds blocks;
  Seconds block_latency;
  for (const BlockMessages& block : terms.blocks) {
    const Seconds along_rows = block.broadcast.bytes * broadcast.byte + block.broadcast.count * broadcast.each;
    const Seconds along_columns = block.shift.bytes * shift.byte + block.shift.count * shift.each;
    const bool rows = along_rows > along_columns;
    blocks += rows ? along_rows : along_columns;
    block_latency += rows ? block.broadcast.count * broadcast.each : block.shift.count * shift.each;
  }
  const Seconds latency = each * shares.each;
  return {bytes + latency + gradient_seconds(terms.traffic, rates) * shares.gradient + blocks,
          latency + started(Collective::gradient) * shares.gradient + block_latency};
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

std::span<const Schedule> schedules_for(const ChipShare& share, const StepInputs& in) {
  return in.compute_utilization == 0.0 ? share.cycle_schedules : share.utilization_schedules;
}

Bytes resident_bytes(const ResidentWeights& resident, const Layout& layout) {
  return std::max(resident.of_layer * layout.layers_per_stage, resident.least);
}

bool weights_are_resident(const Schedule& schedule, const Layout& layout, Bytes sram_capacity) {
  return resident_bytes(schedule.resident, layout) + schedule.buffers <= sram_capacity;
}

PassShares pass_shares(const Convention& convention, const Batches& batches) {
  return {convention.pass_unit == PassUnit::micro_batch ? 1.0 / batches.micro_batch : 1.0,
          convention.gradient_charge == GradientCharge::spread ? 1.0 / batches.micro_batches : 0.0};
}

PartitionTimes partition_times(const PartitionTerms& terms, const NetworkRates& rates, const PassShares& shares,
                               const StepInputs& in, Weights weights) {
  PartitionTimes times;
  times.compute = in.compute_utilization == 0.0 ? terms.cycles / in.frequency : terms.flop / in.used_flops();
  const double loads = loads_per_pass(terms.weights, terms.rows, shares.each, in.sram_capacity);
  const Bytes read = weights == Weights::resident ? Bytes{} : terms.weights * loads;
  times.memory = (terms.activations + read) / in.dram_bandwidth;
  times.network = network_seconds(terms.network, rates, shares);
  times.total = combined(in.overlap, times.compute, times.memory, times.network);
  return times;
}

}  // namespace dfsweep::dataflow
