/// Stage time: one micro-batch on one device of a pipeline stage, kernels, exchanges that stay visible, and the host.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/training/communication/placement.hpp"
#include "models/training/pipeline/stages.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// Time of one layer, or of all layers of a stage, for one micro-batch: both passes, or the forward pass alone.
struct LayerCost {
  Seconds forward;  ///< kernels
  Seconds backward_input;
  Seconds backward_weight;
  Seconds recompute;        ///< kernels and exchanges that are repeated
  Seconds tensor_exchange;  ///< visible part, both passes
  Seconds expert_exchange;
  Seconds context_exchange;
  Seconds host;  ///< time by which launching kernels takes longer than running them
  [[nodiscard]] Seconds total() const;
};

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
};

[[nodiscard]] StageTimes stage_times(const TrainingPoint& point, const Placement& placement);

}  // namespace dfsweep::training
