/// Stage search: pipeline stages that minimise the time of a step, or a solution with a proven gap.
#pragma once

#include "models/dataflow/search/stage_balance.hpp"

namespace dfsweep::dataflow {

/// Finds stages that minimise step_of_stages(). Ties: the fewest stages (the others are empty), then the first in the
/// order of the search, which depends on the problem only. Method: balanced_stages() bounds the slowest stage; dynamic
/// programming over sets of finished kernels then adds up the slowest stage, the sum of the stages and the gradients,
/// and drops partial solutions that cannot beat the best cut of topological orders.
/// Pre: as for balanced_stages(); passes >= micro_batch > 0.
[[nodiscard]] StageSearchResult best_stages(const StageProblem& problem, std::int64_t node_limit = default_stage_nodes);

}  // namespace dfsweep::dataflow
