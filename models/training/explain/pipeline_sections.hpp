/// Pipeline sections: what the devices of a pipeline do when, as a table and as a drawing.
#pragma once

#include <optional>

#include "models/explanation.hpp"
#include "models/training/pipeline/schedule.hpp"

namespace dfsweep::training {

/// A pipeline run event by event. Of a long step the first micro-batches alone are run: what follows repeats them.
struct PipelineExplanation {
  Explanation section;  ///< by device: when it begins and ends, how long it works and waits
  TimelineDrawing drawing;
};

/// Nothing without a pipeline, and where the schedule cannot run it (schedule_fit). The drawing ends at pipeline_time
/// of the micro-batches that it has. `work`: of one stage for one micro-batch.
[[nodiscard]] std::optional<PipelineExplanation> explain_pipeline(const PipelineShape& shape, const PipelineWork& work);

}  // namespace dfsweep::training
