/// The short form of an explanation: what fits on one screen.
#pragma once

#include <vector>

#include "models/estimator.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// The first metrics that have a value, then the longest rows of the first table with a column "time"; without such a
/// table what the estimator says in facts instead. A point that is not "ok" has the outermost facts too: they say why.
/// `status`: of the point; `metrics`: facts of all metrics; `whole`: what the estimator says.
[[nodiscard]] std::vector<Explanation> explanation_summary(const StatusInfo& status, const Explanation& metrics,
                                                           const Explanation& whole);

}  // namespace dfsweep
