/// Explanation of one point of the profiled estimator.
#pragma once

#include "models/explanation.hpp"
#include "models/profiled/points/missing_tables.hpp"
#include "models/profiled/points/point.hpp"

namespace dfsweep::profiled {

/// Sections: result, batch, operators with the table rows that they use, pipeline, memory. Infeasible points lack the
/// sections that need a result.
[[nodiscard]] Explanation explain_point(const ProfiledPoint& point, const RequestBatch& batch,
                                        const WantedTables& wanted, const ProfileSet& profiles);

}  // namespace dfsweep::profiled
