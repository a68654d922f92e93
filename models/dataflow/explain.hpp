/// Everything about one point of the dataflow model, as an explanation.
#pragma once

#include "models/dataflow/point_model.hpp"
#include "models/explanation.hpp"

namespace dfsweep::dataflow {

/// Sections: result, layout, sharding of the kernels, partitions with what binds them, collectives, memory.
[[nodiscard]] Explanation explain_point(const PointModel& model, const Codes& codes);

}  // namespace dfsweep::dataflow
