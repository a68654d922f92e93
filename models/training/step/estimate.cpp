#include "models/training/step/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "models/kernels/attention_core.hpp"
#include "models/kernels/smooth_maximum.hpp"
#include "models/machine/tier_collectives.hpp"

namespace dfsweep::training {

namespace {

/// Traffic with the memory of the host beyond what runs beside it, computing and the exchanges that follow it; states
/// and activations go out and come back.
Seconds offload_time(const TrainingPoint& point, const MemoryTiers& memory, Seconds beside) {
  const Execution& e = point.execution;
  const Bytes moved = 2 * (micro_batches(e) * memory.offloaded_by_micro_batch + memory.host.optimizer);
  if (!(moved > Bytes{})) return Seconds{};
  return std::max(Seconds{}, moved / point.accelerator.host_bandwidth - beside);
}

/// What a step costs whatever it computes.
Seconds fixed_time(const Execution& e, const StepOverheads& step) {
  if (!e.step_graph) return step.fixed;
  return e.task == Task::full ? step.fixed_graph : step.fixed_adapters;
}

/// Updates of the optimizer and, where products have 8 or 4 bits, the weights of layers converted once in both layouts.
Seconds optimizer_time(const TrainingPoint& point) {
  const Execution& e = point.execution;
  if (e.phase == Phase::forward) return Seconds{};
  const Seconds fixed = fixed_time(e, point.software.step);
  if (e.task != Task::full) return fixed;
  const LocalParameters n = local_parameters(point.architecture, e.parallel);
  const double replicas = e.parallel.data * e.parallel.context;
  const bool sharded = e.sharding >= Sharding::optimizer;
  const double updated =
      (n.dense + n.vocabulary) / (sharded ? replicas : 1.0) + n.experts / (sharded ? expert_replicas(e.parallel) : 1.0);
  const bool converts = e.format != MatrixFormat::bits16;
  const double converted = converts ? 2 * point.software.matrix.cast_bytes * (n.dense + n.experts) : 0.0;
  const Bytes traffic{point.software.step.optimizer_bytes * updated + converted};
  return traffic / point.accelerator.memory_bandwidth + fixed;
}

/// FLOP per token of the rows of experts by which `factor` of them exceeds all of them; negative: that are left out.
Flop rows_beyond(const Architecture& a, double factor) {
  return Flop{2 * expert_layers(a) * a.experts.per_token * expert_parameters(a) * (factor - 1)};
}

/// FLOP per token of gradients that frozen weights do not need. `padding`: rows of experts beyond those of all tokens.
Flop frozen_gradients(const TrainingPoint& point, Flop padding) {
  const bool is_frozen = point.execution.task == Task::low_rank && point.execution.phase == Phase::train;
  return is_frozen ? Flop{2 * active_parameters(point.architecture)} + padding : Flop{};
}

/// FLOP of a step on all devices, with what is computed again.
Flop executed_flop(const TrainingPoint& point, const StepEstimate& estimate) {
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const bool flash = e.attention == AttentionKernel::flash;
  const Flop padding = rows_beyond(a, e.capacity_factor);
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
  return estimate.tokens * (3 * forward + again - frozen_gradients(point, padding));
}

/// Work of a stage with these passes; `sending`: the visible exchange between stages after each pass.
StageWork stage_work(const TrainingPoint& point, const PassTimes& passes, Seconds sending, Seconds hidden) {
  if (point.execution.phase == Phase::forward) return {passes.forward + sending, Seconds{}, Seconds{}};
  return {passes.forward + sending, passes.backward_input + sending, passes.backward_weight, hidden};
}

/// `heaviest` and the mean of the other stages, if all are `mean` on average. A dual pipe has no last stage, so that
/// all of its stages count as the heaviest.
PipelineWork with_heaviest(const StageWork& heaviest, const StageWork& mean, const PipelineShape& shape) {
  if (shape.schedule == Schedule::dual_pipe || shape.stages <= 1) return equal_stages(heaviest);
  const double p = shape.stages;
  const auto other = [&](Seconds StageWork::*pass) { return (p * mean.*pass - heaviest.*pass) / (p - 1); };
  return {heaviest,
          {other(&StageWork::forward), other(&StageWork::backward_input), other(&StageWork::backward_weight),
           mean.hidden_in_pair}};
}

/// With the first or the last stage as the heaviest, whichever takes longer.
PipelineWork pipeline_work(const TrainingPoint& point, const StageTimes& stage, const PipelineShape& shape,
                           Seconds sending) {
  const Seconds hidden = stage.mean.hidden_in_pair;
  const StageWork mean = stage_work(point, stage.mean.passes, sending, hidden);
  if (shape.stages <= 1) return equal_stages(mean);
  if (shape.schedule == Schedule::one_forward_one_backward) {
    const bool is_first = stage.load.first_layers >= stage.load.heaviest;  // else the last one is
    return with_heaviest(stage_work(point, is_first ? stage.first : stage.last, sending, hidden), mean, shape);
  }
  const PipelineWork first = with_heaviest(stage_work(point, stage.first, sending, hidden), mean, shape);
  const PipelineWork last = with_heaviest(stage_work(point, stage.last, sending, hidden), mean, shape);
  return pipeline_time(shape, first) > pipeline_time(shape, last) ? first : last;
}

/// Time in which a stage waits that works for `busiest` on each micro-batch.
Seconds waiting_time(const PipelineShape& shape, const PipelineWork& work, Seconds busiest) {
  if (shape.stages <= 1) return Seconds{};
  return std::max(Seconds{}, bubble_time(shape, work) + shape.micro_batches * (work.heaviest.total() - busiest));
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

void set_flop(const TrainingPoint& point, StepEstimate& estimate) {
  const Execution& e = point.execution;
  const Architecture& a = point.architecture;
  const Flop dropped = rows_beyond(a, std::min(1.0, e.capacity_factor));  // what is not computed is no useful work
  const double passes = e.phase == Phase::train ? 3.0 : 1.0;
  const auto flop_of = [&](AttentionCount count) {
    const Flop forward = forward_flop_per_token(a, e.batch.sequence, count) + dropped;
    return estimate.tokens * (passes * forward - frozen_gradients(point, dropped));
  };
  estimate.model_flop_causal = flop_of(AttentionCount::causal);
  estimate.model_flop_full = flop_of(AttentionCount::full);
  estimate.executed_flop = executed_flop(point, estimate);
}

void set_utilization(const TrainingPoint& point, StepEstimate& estimate) {
  const Execution& e = point.execution;
  const Flop possible = device_count(e.parallel) * estimate.step_time() * peak(point.accelerator, e.format);
  estimate.model_flops_utilization_causal = estimate.model_flop_causal / possible;
  estimate.model_flops_utilization_full = estimate.model_flop_full / possible;
  estimate.hardware_flops_utilization = estimate.executed_flop / possible;
}

PipelineTimes pipeline_times(const TrainingPoint& point, const StageParts& parts, const PipelineShape& shape,
                             Seconds sending) {
  const Execution& e = point.execution;
  const double vocabulary = vocabulary_load(parts);
  const auto with = [&](const StageLoad& load) {
    const StageTimes stage = stage_times(parts, load);
    return PipelineTimes{stage, pipeline_work(point, stage, shape, sending)};
  };
  PipelineTimes best = with(stage_load(parts.layers, vocabulary, parts.stages, e.stage_split));
  const bool has_splits = e.stage_split == StageSplit::balanced && parts.stages > 1;
  if (!has_splits || shape.schedule == Schedule::one_forward_one_backward) return best;
  const auto consider = [&](const StageLoad& load) {
    PipelineTimes tried = with(load);
    if (pipeline_time(shape, tried.work) < pipeline_time(shape, best.work)) best = tried;
  };
  consider(stage_load(parts.layers, vocabulary, parts.stages, StageSplit::even));
  for (double last = std::floor(parts.layers / parts.stages); last >= 0; --last)
    consider(split_at(last, parts.layers, vocabulary, parts.stages));
  return best;
}

void set_pipeline(const TrainingPoint& point, const PipelineShape& shape, Seconds sending,
                  const PipelineTimes& pipeline, StepEstimate& estimate) {
  const double m = shape.micro_batches;
  const auto& [stage, work] = pipeline;
  const LayerCost& mean = stage.mean;
  const double exchanges_between_stages = point.execution.phase == Phase::train ? 2 : 1;
  estimate.tokens = point.execution.batch.global * point.execution.batch.sequence;
  estimate.pipeline_work = work;
  TimeBreakdown& time = estimate.time;
  time = {};
  time.forward = m * mean.forward;
  time.backward = m * (mean.backward_input + mean.backward_weight);
  time.recompute = m * mean.recompute;
  time.tensor_exchange = m * mean.tensor_exchange;
  time.expert_exchange = m * mean.expert_exchange - paired_micro_batches(shape) * work.heaviest.hidden_in_pair;
  time.context_exchange = m * mean.context_exchange;
  time.host = m * mean.host;
  time.imbalance = m * stage.excess;
  time.bubble = waiting_time(shape, work, mean.total() + stage.excess + exchanges_between_stages * sending);
  time.stage_exchange = m * exchanges_between_stages * sending;
  estimate.pipeline_time = time.total();
}

StepEnds step_ends(const TrainingPoint& point) {
  return {weight_exchange(point), optimizer_time(point),
          point.software.step.straggler * std::log2(device_count(point.execution.parallel))};
}

void set_exchange(const TrainingPoint& point, const WeightExchange& exchange, const GradientWindow& window,
                  StepEstimate& estimate) {
  estimate.time.data_exchange = visible_weight_exchange(point, exchange, window, estimate.pipeline_time);
}

void set_ends(const TrainingPoint& point, const StepEnds& ends, StepEstimate& estimate) {
  TimeBreakdown& time = estimate.time;
  time.offload = offload_time(point, estimate.memory, estimate.pipeline_time + time.data_exchange);
  time.optimizer = ends.optimizer;
  time.straggler = Seconds{};
  time.straggler = ends.straggler * estimate.step_time();
}

StepEstimate estimate_step(const TrainingPoint& point) {
  const Placement placement = place(point.execution.parallel, point.network.enclosures);
  const PipelineShape shape = pipeline_shape(point.execution);
  const Seconds sending = stage_exchange(point, placement);
  StepEstimate estimate;
  estimate.memory = memory_footprint(point.architecture, point.execution, point.software);
  estimate.fit = fit(point, estimate.memory);
  set_pipeline(point, shape, sending, pipeline_times(point, stage_parts(point, placement), shape, sending), estimate);
  const StepEnds ends = step_ends(point);
  set_exchange(point, ends.exchange, gradient_window(point), estimate);
  set_ends(point, ends, estimate);
  set_flop(point, estimate);
  set_utilization(point, estimate);
  return estimate;
}

}  // namespace dfsweep::training
