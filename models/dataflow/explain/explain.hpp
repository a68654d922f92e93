/// Everything about one point of the dataflow model, as an explanation.
#pragma once

#include "models/dataflow/points/point_model.hpp"
#include "models/explanation.hpp"

namespace dfsweep::dataflow {

/// Sections: result, layout, sharding of the kernels, collectives, partitions with what binds them, tensors, other
/// mappings, memory; a drawing of the mapping, without title. What is not known where a point is not possible is left
/// out.
[[nodiscard]] Explanation explain_point(const PointModel& model, const Codes& codes);

}  // namespace dfsweep::dataflow
