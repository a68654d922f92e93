#include "models/dataflow/cost/rates.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::dataflow {

NetworkRates network_rates(const Layout& layout, const StepInputs& inputs) {
  const PerLinkOf<SecondsPerByte> inverse = inputs.link_time();
  const PerLinkOf<Seconds>& latency = inputs.link_latency;
  NetworkRates r{};
  r.all_reduce = dot(layout.all_reduce, inverse).value();
  r.all_gather = dot(layout.all_gather, inverse).value();
  r.all_to_all = dot(layout.all_to_all, inverse).value();
  r.exchange =
      std::max((layout.exchange.first * inverse.first).value(), (layout.exchange.outer * inverse.outer).value());
  r.gradient = dot(layout.gradient, inverse).value() + layout.gradient_seconds_per_byte;
  r.all_reduce_each = dot(layout.all_reduce_steps, latency).value();
  r.all_gather_each = dot(layout.all_gather_steps, latency).value();
  r.all_to_all_each = dot(layout.all_to_all_steps, latency).value();
  r.exchange_each = dot(layout.exchange_steps, latency).value();
  r.gradient_each = dot(layout.gradient_steps, latency).value();
  if (layout.split.rows * layout.split.columns == 1.0) return r;  // only a grid of chips sends block columns
  r.broadcast = dot(layout.broadcast, inverse).value();
  r.shift = dot(layout.shift, inverse).value();
  r.broadcast_each = dot(layout.broadcast_steps, latency).value();
  r.shift_each = dot(layout.shift_steps, latency).value();
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
  double blocks = 0.0;
  for (const BlockMessages& block : n.blocks)
    blocks += std::max(block.broadcast_bytes * r.broadcast + block.broadcasts * r.broadcast_each,
                       block.shift_bytes * r.shift + block.shifts * r.shift_each);
  return bytes + each * shares.each + gradient_seconds(n, r) * shares.gradient + blocks;
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

bool weights_are_resident(const Schedule& schedule, const Layout& layout, Bytes sram_capacity) {
  return schedule.resident_bytes * layout.layers_per_stage + schedule.buffer_bytes <= sram_capacity.value();
}

PassShares pass_shares(const Convention& convention, const Batches& batches) {
  return {convention.pass_unit == PassUnit::micro_batch ? 1.0 / batches.micro_batch : 1.0,
          convention.gradient_charge == GradientCharge::spread ? 1.0 / batches.micro_batches : 0.0};
}

PartitionTimes partition_times(const PartitionTerms& terms, const NetworkRates& rates, const PassShares& shares,
                               const StepInputs& in, Weights weights) {
  PartitionTimes times;
  times.compute =
      in.compute_utilization == 0.0 ? terms.cycles / in.frequency.value() : terms.flop / in.used_flops().value();
  const double weight_bytes = weights == Weights::resident ? 0.0 : terms.weight_bytes * shares.each;
  times.memory = (terms.activation_bytes + weight_bytes) / in.dram_bandwidth.value();
  times.network = network_seconds(terms.network, rates, shares);
  times.total = combined(in.overlap, times.compute, times.memory, times.network);
  return times;
}

}  // namespace dfsweep::dataflow
