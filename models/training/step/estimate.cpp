#include "models/training/step/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "models/kernels/attention_core.hpp"
#include "models/kernels/smooth_maximum.hpp"
#include "models/machine/tier_collectives.hpp"
#include "models/training/step/stage_time.hpp"
#include "models/training/step/weight_exchange.hpp"

namespace dfsweep::training {

namespace {

/// Activations of a micro-batch pass to the next stage and, in training, gradients back, for every chunk: 2 t h / TP
/// bytes each.
Seconds stage_exchange(const TrainingPoint& point, const Placement& placement) {
  const Execution& e = point.execution;
  if (e.parallel.pipeline <= 1) return Seconds{};
  const bool inside = placement.pipeline.in_node > 1;
  const LinkTier link = next_link(placement.pipeline, point.network);
  const double share = inside ? point.software.links.inside : point.software.links.across;
  const Bytes boundary{2 * tokens_per_device(e) * point.architecture.hidden / e.parallel.tensor};
  const Seconds one = boundary / (share * link.bandwidth) + link.latency;
  const double passes = e.phase == Phase::train ? 2 : 1;
  return passes * e.parallel.chunks_per_stage * micro_batches(e) * point.software.links.stage_visible * one;
}

/// Traffic with the memory of the host beyond what computing hides; states and activations go out and come back.
Seconds offload_time(const TrainingPoint& point, const MemoryTiers& memory, Seconds computing) {
  const Execution& e = point.execution;
  const Bytes moved = 2 * (micro_batches(e) * memory.host.activations + memory.host.optimizer);
  if (!(moved > Bytes{})) return Seconds{};
  return std::max(Seconds{}, moved / point.accelerator.host_bandwidth - computing);
}

Seconds optimizer_time(const TrainingPoint& point) {
  const Execution& e = point.execution;
  if (e.phase == Phase::forward) return Seconds{};
  if (e.task != Task::full) return point.software.step.fixed;
  const LocalParameters n = local_parameters(point.architecture, e.parallel);
  const double replicas = e.parallel.data * e.parallel.context;
  const bool sharded = e.sharding >= Sharding::optimizer;
  const double updated =
      (n.dense + n.vocabulary) / (sharded ? replicas : 1.0) + n.experts / (sharded ? expert_replicas(e.parallel) : 1.0);
  const Bytes traffic{point.software.step.optimizer_bytes * updated};
  return traffic / point.accelerator.memory_bandwidth + point.software.step.fixed;
}

Fit fit(const TrainingPoint& point, const MemoryTiers& memory) {
  if (memory.device.total() > point.accelerator.memory_capacity) return Fit::device_memory;
  if (memory.host.total() > point.accelerator.host_capacity) return Fit::host_memory;
  return Fit::fits;
}

/// FLOP of a step on all devices, with what is computed again.
Flop executed_flop(const TrainingPoint& point, const StepEstimate& estimate) {
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const bool flash = e.attention == AttentionKernel::flash;
  const AttentionCount count = flash ? AttentionCount::causal : AttentionCount::full;
  const Flop padding{2 * expert_layers(a) * a.experts.per_token * expert_parameters(a) * (e.capacity_factor - 1)};
  const Flop unpadded = forward_flop_per_token(a, e.batch.sequence, count);
  const Flop scores = unpadded - Flop{2 * active_parameters(a)};
  const Flop forward = unpadded + padding;
  if (e.phase == Phase::forward) return estimate.tokens * forward;
  const Flop layers = Flop{2 * (active_parameters(a) - a.vocabulary * a.hidden)} + padding;
  Flop again = flash ? scores / 2 : Flop{};  // flash kernels compute scores anew in the backward pass
  if (e.recompute == Recompute::full || (e.recompute != Recompute::none && !flash))
    again += e.recomputed_layers * scores;
  if (e.recompute == Recompute::full) again += e.recomputed_layers * layers;
  if (e.recompute == Recompute::selective) again += e.recomputed_layers / 2 * layers;
  if (e.recompute == Recompute::latent)
    again += e.recomputed_layers * Flop{2 * all_layers(a) * latent_up_parameters(a)};
  return estimate.tokens * (3 * forward + again);
}

void add_utilization(const TrainingPoint& point, StepEstimate& estimate) {
  const Execution& e = point.execution;
  const Architecture& a = point.architecture;
  estimate.tokens = e.batch.global * e.batch.sequence;
  const auto flop_per_token = e.phase == Phase::train ? training_flop_per_token : forward_flop_per_token;
  estimate.model_flop_causal = estimate.tokens * flop_per_token(a, e.batch.sequence, AttentionCount::causal);
  estimate.model_flop_full = estimate.tokens * flop_per_token(a, e.batch.sequence, AttentionCount::full);
  estimate.executed_flop = executed_flop(point, estimate);
  const Flop possible = device_count(e.parallel) * estimate.time.total() * peak(point.accelerator, e.format);
  estimate.model_flops_utilization_causal = estimate.model_flop_causal / possible;
  estimate.model_flops_utilization_full = estimate.model_flop_full / possible;
  estimate.hardware_flops_utilization = estimate.executed_flop / possible;
}

/// Of exchanges of experts that take `whole` and stay visible for `visible` in a pass: what the computing of the pass
/// that is paired with it hides, so that at most whole - computing stays.
Seconds hidden_by(Seconds computing, Seconds whole, Seconds visible) {
  return visible - std::min(visible, std::max(Seconds{}, whole - computing));
}

/// Exchanges of experts that a pair of passes hides. The backward pass has those of repeated layers.
Seconds hidden_in_pair(const TrainingPoint& point, const LayerCost& mean) {
  const LinkEfficiency& links = point.software.links;
  const double share = links.expert_visible;
  if (point.execution.schedule != Schedule::dual_pipe || !(share > 0)) return Seconds{};
  const Seconds forward = mean.expert_exchange / exchanges(point.execution);
  const Seconds backward = mean.expert_exchange - forward;
  return hidden_by(links.pair_hidden * (mean.backward_input + mean.backward_weight + mean.recompute), forward / share,
                   forward) +
         hidden_by(links.pair_hidden * mean.forward, backward / share, backward);
}

/// A third of what is visible beside kernels belongs to the forward pass.
StageWork stage_work(const TrainingPoint& point, const LayerCost& mean) {
  const Seconds all_visible = mean.tensor_exchange + mean.expert_exchange + mean.context_exchange + mean.host;
  if (point.execution.phase == Phase::forward) return {mean.forward + all_visible, Seconds{}, Seconds{}};
  const Seconds visible = all_visible / 3;
  return {mean.forward + visible, mean.backward_input + mean.recompute + 2 * visible, mean.backward_weight,
          hidden_in_pair(point, mean)};
}

}  // namespace

Seconds TimeBreakdown::total() const {
  return forward + backward + recompute + tensor_exchange + expert_exchange + context_exchange + host + imbalance +
         bubble + stage_exchange + data_exchange + offload + optimizer + straggler;
}

PipelineShape pipeline_shape(const Execution& e) {
  // Without backward passes all schedules are a plain pipeline, whose formula holds for B = W = 0.
  const Schedule schedule = e.phase == Phase::train ? e.schedule : Schedule::one_forward_one_backward;
  return {schedule, e.parallel.pipeline, e.parallel.chunks_per_stage, micro_batches(e)};
}

StepEstimate estimate_step(const TrainingPoint& point) {
  const Execution& e = point.execution;
  const Placement placement = place(e.parallel, point.network.enclosures);
  const double m = micro_batches(e);
  const StageTimes stage = stage_times(point, placement);
  const LayerCost& mean = stage.mean;
  StepEstimate estimate;
  estimate.stage_work = stage_work(point, mean);
  TimeBreakdown& time = estimate.time;
  time.forward = m * mean.forward;
  time.backward = m * (mean.backward_input + mean.backward_weight);
  time.recompute = m * mean.recompute;
  time.tensor_exchange = m * mean.tensor_exchange;
  time.expert_exchange =
      m * mean.expert_exchange - paired_micro_batches(pipeline_shape(e)) * estimate.stage_work.hidden_in_pair;
  time.context_exchange = m * mean.context_exchange;
  time.host = m * mean.host;
  time.imbalance = m * stage.excess;
  time.bubble = bubble_time(pipeline_shape(e), estimate.stage_work);
  time.stage_exchange = stage_exchange(point, placement);
  const Seconds computing = time.total();
  time.data_exchange = visible_weight_exchange(point, computing);
  estimate.memory = memory_footprint(point.architecture, e, point.software);
  time.offload = offload_time(point, estimate.memory, computing);
  time.optimizer = optimizer_time(point);
  time.straggler = point.software.step.straggler * std::log2(device_count(e.parallel)) * time.total();

  estimate.fit = fit(point, estimate.memory);
  add_utilization(point, estimate);
  return estimate;
}

}  // namespace dfsweep::training
