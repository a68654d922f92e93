/// The short form of an explanation: what fits on one screen.
#pragma once

#include <vector>

#include "models/explanation.hpp"

namespace dfsweep {

/// The first metrics that have a value, then the longest rows of the first table with a column "time"; without such a
/// table, as of an infeasible point, what the estimator says in facts instead.
/// `metrics`: facts of all metrics; `whole`: what the estimator says.
[[nodiscard]] std::vector<Explanation> explanation_summary(const Explanation& metrics, const Explanation& whole);

}  // namespace dfsweep
