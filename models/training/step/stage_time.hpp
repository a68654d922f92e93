/// Stage time: one micro-batch on one device of a pipeline stage, kernels, exchanges that stay visible, and the host.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/training/communication/placement.hpp"
#include "models/training/pipeline/stages.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// A layer's time by pass, what stays visible beside its kernels included.
struct PassTimes {
  Seconds forward;
  Seconds backward_input;  ///< with what is computed again for it
  Seconds backward_weight;
};

/// Time of one layer, or of all layers of a stage, for one micro-batch: both passes, or the forward pass alone.
struct LayerCost {
  Seconds forward;  ///< kernels
  Seconds backward_input;
  Seconds backward_weight;
  Seconds recompute;        ///< kernels and exchanges that are repeated
  Seconds tensor_exchange;  ///< visible part, both passes
  Seconds expert_exchange;
  Seconds context_exchange;
  Seconds host;            ///< time by which launching kernels takes longer than running them
  PassTimes passes;        ///< the same total by pass
  Seconds hidden_in_pair;  ///< by which a pair of passes (dual-pipe) is shorter than its passes one after the other
  [[nodiscard]] Seconds total() const;
};

[[nodiscard]] PassTimes operator+(const PassTimes& a, const PassTimes& b);
[[nodiscard]] PassTimes operator*(double count, const PassTimes& passes);
[[nodiscard]] LayerCost operator+(const LayerCost& a, const LayerCost& b);
[[nodiscard]] LayerCost operator*(double count, const LayerCost& cost);

/// Exchanges of tensors and experts in a step, counted in those of a forward pass: as many in the backward pass
/// [korthikanti] section 4.2.2, and once more for layers that are repeated whole. One in a forward phase.
[[nodiscard]] double exchanges(const Execution& execution);

/// Mean over the dense layers and the layers with experts.
[[nodiscard]] LayerCost mean_layer_cost(const TrainingPoint& point, const Placement& placement);

struct StageTimes {
  LayerCost mean;  ///< of a stage, with its share of the output layer
  Seconds excess;  ///< by which the total of the heaviest stage exceeds that of the mean one; never below zero
  StageLoad load;
  PassTimes first;  ///< of the first stage
  PassTimes last;   ///< of the last stage, with the output layer
};

/// What stages are made of.
struct StageParts {
  LayerCost layer;      ///< the mean layer
  LayerCost output;     ///< output layers and loss, of the last stage
  double layers = 0.0;  ///< of all stages
  double stages = 1.0;
};

[[nodiscard]] StageParts stage_parts(const TrainingPoint& point, const Placement& placement);

/// Time of the output layers in units of a layer.
[[nodiscard]] double vocabulary_load(const StageParts& parts);

[[nodiscard]] StageTimes stage_times(const StageParts& parts, const StageLoad& load);

}  // namespace dfsweep::training
