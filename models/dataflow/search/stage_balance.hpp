/// Stage balance: pipeline stages that minimise the slowest stage, or a solution with a proven gap.
#pragma once

#include <vector>

#include "models/dataflow/search/partition_search.hpp"
#include "models/dataflow/search/stage_instance.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Default limit on the partial solutions of a search.
inline constexpr std::int64_t default_stage_nodes = 2'000'000;

struct StageSearchResult {
  SearchOutcome outcome = SearchOutcome::unresolved;
  StageOfKernel stage;  ///< empty where no solution was found
  Seconds time;         ///< slowest_stage(problem, stage) or step_of_stages(problem, stage)
  Seconds bound;        ///< proven lower bound on the time of all solutions
  double gap = 0.0;     ///< 1 - bound / time, 0 when proven
  std::int64_t nodes = 0;
};

/// Finds stages that minimise the time of the slowest one, the objective of [dfmodel]. Ties: the fewest stages (the
/// others are empty), then the first in the order of the search, which depends on the problem only. Method: bisection
/// between a lower bound and the best cut of two topological orders; each step decides whether a time is possible, and
/// moves one end to the time of some solution.
/// Pre: 1 to 64 kernels; acyclic; amounts finite and >= 0.
[[nodiscard]] StageSearchResult balanced_stages(const StageProblem& problem,
                                                std::int64_t node_limit = default_stage_nodes);

/// The same in ticks.
struct StageBalance {
  std::vector<KernelSet> stages;  ///< empty where no solution was found
  Ticks bound = 0;                ///< proven lower bound on the slowest stage
  bool limited = false;           ///< the node limit stopped the search
  std::int64_t nodes = 0;
};
[[nodiscard]] StageBalance balance_of(const StageInstance& instance, std::int64_t node_limit);

/// [kernel] Number of the stage that holds it.
[[nodiscard]] StageOfKernel stage_of_kernels(const std::vector<KernelSet>& stages, std::size_t kernels);

}  // namespace dfsweep::dataflow
