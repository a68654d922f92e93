/// Stage search: the proven least time of the slowest stage of a pipeline, or how near an answer is to it.
#pragma once

#include "models/dataflow/search/partition_search.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Half-way stages that a search may look at by default.
inline constexpr std::int64_t default_stage_nodes = 2'000'000;

struct StageSearchResult {
  SearchOutcome outcome = SearchOutcome::unresolved;
  StageOfKernel stage;  ///< empty where there is no answer
  Seconds time;         ///< slowest_stage(problem, stage)
  Seconds bound;        ///< proven: no answer takes less
  double gap = 0.0;     ///< 1 - bound / time, 0 when proven
  std::int64_t nodes = 0;
};

/// Finds stages whose slowest one is as fast as can be. Where it is, as few stages as can be are used (the others are
/// empty); among those the first in the order of the search, which depends on the problem alone. The least time is
/// found by bisection between a lower bound and the best cut of two topological orders; each step decides whether
/// a time is possible, and moves either end to a time that some answer has.
/// Pre: 1 to 64 kernels; acyclic; amounts finite and >= 0.
[[nodiscard]] StageSearchResult best_stages(const StageProblem& problem, std::int64_t node_limit = default_stage_nodes);

}  // namespace dfsweep::dataflow
