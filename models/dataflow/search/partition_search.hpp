/// Partition search: the optimal execution of a graph in ordered partitions, or a solution with a proven gap.
///
/// The cost of a partition depends on its kernels and on the kernels finished before it. So a mapping is a path through
/// the sets of finished kernels (order ideals of the graph), and the best mapping is a shortest path, found by A* with
/// admissible bounds.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

enum class SearchOutcome : std::uint8_t {
  optimal,     ///< proven
  limited,     ///< the node limit stopped the search: the best mapping found, with its gap
  infeasible,  ///< proven that no mapping satisfies the rules and capacities; diagnosis_of() finds the reason
  unresolved,  ///< the node limit stopped the search without a mapping
};

enum class SearchGoal : std::uint8_t {
  best,
  any,  ///< stop at the first mapping, with outcome `limited`
};

struct SearchLimits {
  /// Limit on evaluated partitions. It is not a time limit, so results are the same on every machine.
  std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
  SearchGoal goal = SearchGoal::best;
};

struct PartitionSearchResult {
  SearchOutcome outcome = SearchOutcome::unresolved;
  Assignment assignment;  ///< partitions numbered from 0 without gaps; empty where no mapping was found
  Seconds time;           ///< time_of(problem, assignment)
  Seconds bound;          ///< proven lower bound on the time of all mappings
  double gap = 0.0;       ///< 1 - bound / time, 0 when proven
  std::int64_t nodes = 0;
  std::int64_t states = 0;  ///< number of visited sets of finished kernels
};

/// Finds the best mapping. An object reuses its memory between calls; use one object per thread.
///
/// Times are compared after rounding to 2^-58 of the sum of all times. Ties: a mapping in which no two consecutive
/// partitions can be joined without loss; among those, the first in the order of the search, which depends on the
/// problem only: sets of finished kernels by lowest bound, then most kernels, then lowest number.
///
/// Pre: 1 to 64 kernels; acyclic; amounts finite and >= 0; no edge from a backward to a forward kernel unless mixing is
/// free; sram_alone is at most the SRAM of the kernel as part of a larger partition.
class PartitionSearch {
 public:
  PartitionSearch();
  ~PartitionSearch();
  PartitionSearch(PartitionSearch&&) noexcept;
  PartitionSearch& operator=(PartitionSearch&&) noexcept;

  PartitionSearchResult solve(const PartitionProblem& problem, const SearchLimits& limits = {});

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace dfsweep::dataflow
