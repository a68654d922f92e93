/// Everything about one point of the profiled estimator, as an explanation.
#pragma once

#include "models/explanation.hpp"
#include "models/profiled/points/missing_tables.hpp"
#include "models/profiled/points/point.hpp"

namespace dfsweep::inference {

/// Sections: the result, the batch, the operators with the rows of tables that they come from, the pipeline, memory.
/// What is not known where a point is not possible is left out.
[[nodiscard]] Explanation explain_point(const ProfiledPoint& point, const Batch& batch, const WantedTables& wanted,
                                        const ProfileSet& profiles);

}  // namespace dfsweep::inference
