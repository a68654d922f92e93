/// Estimate of a training step: time and memory by what they are spent on, and the rates that people quote.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/training/memory/footprint.hpp"
#include "models/training/pipeline/schedule.hpp"
#include "models/training/step/point.hpp"
#include "models/training/step/stage_time.hpp"
#include "models/training/step/weight_exchange.hpp"
#include "models/transformer/model_flop.hpp"

namespace dfsweep::training {

/// Parts of a step on the heaviest stage. Exchanges count what no computation hides. Their sum is the step.
struct TimeBreakdown {
  Seconds forward;
  Seconds backward;
  Seconds recompute;
  Seconds tensor_exchange;
  Seconds expert_exchange;
  Seconds context_exchange;
  Seconds host;       ///< waiting for kernels to be launched
  Seconds imbalance;  ///< by which the heaviest stage exceeds the mean one
  Seconds bubble;
  Seconds stage_exchange;
  Seconds data_exchange;
  Seconds offload;
  Seconds optimizer;  ///< update and what a step costs whatever it computes
  Seconds straggler;
  [[nodiscard]] Seconds total() const;
};

enum class Fit : unsigned char { fits, device_memory, host_memory };

struct StepEstimate {
  TimeBreakdown time;
  PipelineWork pipeline_work;  ///< visible exchanges included
  Seconds pipeline_time;       ///< of all micro-batches: what ends before weights and gradients are exchanged
  MemoryTiers memory;
  Fit fit = Fit::fits;
  double tokens = 0.0;     ///< of a step
  Flop model_flop_causal;  ///< of a step, all devices, without recomputation
  Flop model_flop_full;
  Flop executed_flop;                           ///< with recomputation, attention as the kernel computes it
  double model_flops_utilization_causal = 0.0;  ///< of the 16-bit or narrower peak of the format that is used
  double model_flops_utilization_full = 0.0;
  double hardware_flops_utilization = 0.0;

  /// time.total(): `pipeline_time` is the sum of its first parts.
  [[nodiscard]] Seconds step_time() const {
    return pipeline_time + time.data_exchange + time.offload + time.optimizer + time.straggler;
  }
};

[[nodiscard]] PipelineShape pipeline_shape(const Execution& execution);

/// What the stages of a pipeline take for a micro-batch.
struct PipelineTimes {
  StageTimes stage;
  PipelineWork work;  ///< visible exchanges included
};

/// What stays visible when all chunks of a micro-batch pass their activations to the next stage, or their gradients
/// back: 2 t h / TP bytes each.
[[nodiscard]] Seconds stage_exchange(const TrainingPoint& point, const Placement& placement);

/// The split of the layers that is asked for; `sending`: stage_exchange. Balanced stages are those of the shortest
/// step: with one-forward-one-backward those whose heaviest stage has least.
[[nodiscard]] PipelineTimes pipeline_times(const TrainingPoint& point, const StageParts& parts,
                                           const PipelineShape& shape, Seconds sending);

/// Sets tokens, the parts of the time that the pipeline takes, and their sum. Other parts are set to zero.
void set_pipeline(const TrainingPoint& point, const PipelineShape& shape, Seconds sending,
                  const PipelineTimes& pipeline, StepEstimate& estimate);

/// What a step adds to its pipeline, before anything hides it.
struct StepEnds {
  WeightExchange exchange;
  Seconds optimizer;       ///< update of the weights, and what a step costs whatever it computes
  double straggler = 0.0;  ///< slowdown of all of a step by the slowest device
};

[[nodiscard]] StepEnds step_ends(const TrainingPoint& point);

/// Sets the exchange of weights and gradients. Pre: the estimate has its pipeline.
void set_exchange(const TrainingPoint& point, const WeightExchange& exchange, const GradientWindow& window,
                  StepEstimate& estimate);

/// Sets all parts of the time after the exchange. Pre: the estimate has that, its pipeline and its memory.
void set_ends(const TrainingPoint& point, const StepEnds& ends, StepEstimate& estimate);

/// Where the memory suffices.
[[nodiscard]] inline Fit fit(const TrainingPoint& point, const MemoryTiers& memory) {
  if (needed_memory(memory.device, point.software.kept) > point.accelerator.memory_capacity) return Fit::device_memory;
  return memory.host.total() > point.accelerator.host_capacity ? Fit::host_memory : Fit::fits;
}

/// Sets the FLOP of a step. Pre: the estimate has its tokens.
void set_flop(const TrainingPoint& point, StepEstimate& estimate);

/// Sets utilizations. Pre: the estimate has its time and its FLOP.
void set_utilization(const TrainingPoint& point, StepEstimate& estimate);

/// A step, or a forward pass over a batch: step = micro-batches x heaviest stage + bubble + what exchanges of weights
/// and gradients and traffic with the host add + optimizer, all times 1 + straggler log2(devices).
/// docs/models/training.md derives every part. Pre: degrees, batches and sizes are positive; expert divides tensor x
/// context x data; schedule_fit of the pipeline is `runs`.
[[nodiscard]] StepEstimate estimate_step(const TrainingPoint& point);

}  // namespace dfsweep::training
