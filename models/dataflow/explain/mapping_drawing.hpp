/// A mapping as a drawing: kernels as boxes, partitions as frames in the order of execution. [dfmodel] Fig. 2
#pragma once

#include "models/dataflow/explain/parts.hpp"

namespace dfsweep::dataflow {

/// Matrix kernels are emphasised; the category of a frame is the bottleneck of its partition.
[[nodiscard]] Drawing mapping_drawing(const ExplainedMapping& at);

}  // namespace dfsweep::dataflow
