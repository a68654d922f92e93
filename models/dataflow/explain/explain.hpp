/// Explanation of one point of the dataflow model.
#pragma once

#include "models/dataflow/points/point_model.hpp"
#include "models/explanation.hpp"

namespace dfsweep::dataflow {

/// Sections: result, layout, sharding of the kernels, collectives, partitions with their bottlenecks, tensors, other
/// mappings, memory; a drawing of the mapping, without title. Infeasible points lack the sections that need a result.
[[nodiscard]] Explanation explain_point(const PointModel& model, const Codes& codes);

}  // namespace dfsweep::dataflow
