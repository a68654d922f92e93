/// Strategy tensor_pipeline: layers shared by tensor parallelism, and spread over the stages of a pipeline.
#pragma once

#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Stages of a pipeline, for one micro-batch. The first `longer` stages have a layer more than the others.
struct PipelineStages {
  double stages = 1.0;
  double longer = 0.0;
  PartTimes layer;
  double fewest_layers = 0.0;  ///< of a stage
  PartTimes link;              ///< from a stage to the next

  [[nodiscard]] PartTimes stage(double index) const { return (fewest_layers + (index < longer ? 1.0 : 0.0)) * layer; }
};

/// Obstacle::none where the pipeline can be built.
[[nodiscard]] Obstacle pipeline_obstacle(const Setting& setting);

/// Pre: no obstacle.
[[nodiscard]] PipelineStages pipeline_stages(const Setting& setting);

/// A stage runs all its layers for a micro-batch as one task and sends the result on: every device sends its copy to
/// its peer. Links carry one micro-batch at a time, beside what the stages compute.
[[nodiscard]] StepEstimate tensor_pipeline(const Setting& setting);

}  // namespace dfsweep::taskgraph
