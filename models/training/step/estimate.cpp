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

/// What stays visible when all chunks of a micro-batch pass their activations to the next stage, or their gradients
/// back: 2 t h / TP bytes each.
Seconds stage_exchange(const TrainingPoint& point, const Placement& placement) {
  const Execution& e = point.execution;
  if (e.parallel.pipeline <= 1) return Seconds{};
  const bool inside = placement.pipeline.in_node > 1;
  const LinkTier link = next_link(placement.pipeline, point.network);
  const double share = inside ? point.software.links.inside : point.software.links.across;
  const Bytes boundary{2 * tokens_per_device(e) * point.architecture.hidden / e.parallel.tensor};
  const Seconds one = boundary / (share * link.bandwidth) + link.latency;
  return e.parallel.chunks_per_stage * point.software.links.stage_visible * one;
}

/// Traffic with the memory of the host beyond what runs beside it, computing and the exchanges that follow it; states
/// and activations go out and come back.
Seconds offload_time(const TrainingPoint& point, const MemoryTiers& memory, Seconds beside) {
  const Execution& e = point.execution;
  const Bytes moved = 2 * (micro_batches(e) * memory.host.activations + memory.host.optimizer);
  if (!(moved > Bytes{})) return Seconds{};
  return std::max(Seconds{}, moved / point.accelerator.host_bandwidth - beside);
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
  const Flop padding{2 * expert_layers(a) * a.experts.per_token * expert_parameters(a) * (e.capacity_factor - 1)};
  const Flop scores = e.parallel.tensor * all_layers(a) / tokens_per_device(e) * attention_core_flop(a, e);
  const Flop forward = Flop{2 * active_parameters(a)} + scores + padding;
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

/// Of the mean stage. A third of what is visible beside kernels belongs to the forward pass; `sending`: the visible
/// exchange between stages after each pass.
StageWork stage_work(const TrainingPoint& point, const LayerCost& mean, Seconds sending) {
  const Seconds all_visible = mean.tensor_exchange + mean.expert_exchange + mean.context_exchange + mean.host;
  if (point.execution.phase == Phase::forward) return {mean.forward + all_visible + sending, Seconds{}, Seconds{}};
  const Seconds visible = all_visible / 3;
  return {mean.forward + visible + sending, mean.backward_input + mean.recompute + 2 * visible + sending,
          mean.backward_weight, hidden_in_pair(point, mean)};
}

/// The heaviest stage has `excess` more than the mean one, and all others together as much less. A dual pipe has no
/// last stage, so that all of its stages count as the heaviest.
PipelineWork pipeline_work(const PipelineShape& shape, const StageWork& mean, Seconds excess) {
  const double share = excess / mean.total();
  const StageWork heaviest = (1 + share) * mean;
  if (shape.schedule == Schedule::dual_pipe || shape.stages <= 1) return equal_stages(heaviest);
  return {heaviest, (1 - share / (shape.stages - 1)) * mean};
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
  const PipelineShape shape = pipeline_shape(e);
  const double m = shape.micro_batches;
  const StageTimes stage = stage_times(point, placement);
  const LayerCost& mean = stage.mean;
  const Seconds sending = stage_exchange(point, placement);
  StepEstimate estimate;
  estimate.pipeline_work = pipeline_work(shape, stage_work(point, mean, sending), stage.excess);
  TimeBreakdown& time = estimate.time;
  time.forward = m * mean.forward;
  time.backward = m * (mean.backward_input + mean.backward_weight);
  time.recompute = m * mean.recompute;
  time.tensor_exchange = m * mean.tensor_exchange;
  time.expert_exchange =
      m * mean.expert_exchange - paired_micro_batches(shape) * estimate.pipeline_work.heaviest.hidden_in_pair;
  time.context_exchange = m * mean.context_exchange;
  time.host = m * mean.host;
  time.imbalance = m * stage.excess;
  time.bubble = bubble_time(shape, estimate.pipeline_work);
  time.stage_exchange = (e.phase == Phase::train ? 2 : 1) * m * sending;
  estimate.pipeline_time = time.total();
  time.data_exchange = visible_weight_exchange(point, estimate.pipeline_time);
  estimate.memory = memory_footprint(point.architecture, e, point.software);
  time.offload = offload_time(point, estimate.memory, estimate.pipeline_time + time.data_exchange);
  time.optimizer = optimizer_time(point);
  time.straggler = point.software.step.straggler * std::log2(device_count(e.parallel)) * time.total();

  estimate.fit = fit(point, estimate.memory);
  add_utilization(point, estimate);
  return estimate;
}

}  // namespace dfsweep::training
