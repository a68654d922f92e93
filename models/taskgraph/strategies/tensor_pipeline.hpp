/// Strategy tensor_pipeline: layers sharded by tensor parallelism and distributed over the stages of a pipeline.
#pragma once

#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Stages of a pipeline, for one micro-batch. The first `longer` stages have one layer more than the others.
struct PipelineStages {
  double stages = 1.0;
  double longer = 0.0;
  PartTimes layer;
  double fewest_layers = 0.0;  ///< minimum layers per stage
  PartTimes link;              ///< transfer from a stage to the next

  [[nodiscard]] PartTimes stage(double index) const { return (fewest_layers + (index < longer ? 1.0 : 0.0)) * layer; }
};

/// Why the pipeline cannot be built, or Obstacle::none.
[[nodiscard]] Obstacle pipeline_obstacle(const Setting& setting);

/// Pre: pipeline_obstacle() reports no obstacle.
[[nodiscard]] PipelineStages pipeline_stages(const Setting& setting);

/// A stage runs all its layers for a micro-batch as one task and sends the result to the next stage; every device sends
/// its copy to its peer. A link transfers one micro-batch at a time and overlaps with compute.
[[nodiscard]] StepEstimate tensor_pipeline(const Setting& setting);

}  // namespace dfsweep::taskgraph
