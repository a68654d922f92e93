/// Winners: metrics of the best points of a search that compared one metric alone.
#pragma once

#include <vector>

#include "engine/evaluation/estimates.hpp"

namespace dfsweep {

/// Evaluates the best points of the groups and fills all their metrics. Returns false, with metrics filled in part,
/// where one of them is not ok when all its metrics are wanted.
[[nodiscard]] bool fill_metrics(const Estimator& estimator, const PreparedSweep& prepared,
                                std::vector<GroupResult>& groups);

}  // namespace dfsweep
