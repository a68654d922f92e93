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

/// Nothing without a pipeline, and where the order of the schedule is not defined: interleaved stages whose number does
/// not divide the micro-batches, a dual pipe of an odd number of stages or with fewer than two micro-batches per stage.
/// `work`: of one stage for one micro-batch.
[[nodiscard]] std::optional<PipelineExplanation> explain_pipeline(const PipelineShape& shape, const StageWork& work);

}  // namespace dfsweep::training
