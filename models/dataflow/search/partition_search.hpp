/// Partition search: the proven least time of executing a graph in ordered partitions, or how near an answer is to it.
///
/// The cost of a partition depends on its kernels and on what is finished before it, so a mapping is a path through the
/// sets of finished kernels (order ideals of the graph) and the best mapping a shortest path: A* with admissible
/// bounds.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

enum class SearchOutcome : std::uint8_t {
  optimal,     ///< proven
  limited,     ///< the node limit stopped the search: the best mapping found, with its gap
  infeasible,  ///< proven that no mapping keeps the rules and capacities; diagnosis_of() says which
  unresolved,  ///< the node limit stopped the search before a mapping was found
};

enum class SearchGoal : std::uint8_t {
  best,
  any,  ///< stops at the first mapping, whose outcome is then `limited`
};

struct SearchLimits {
  /// Partitions looked at, in all; a limit in nodes and never in time keeps results the same on every machine.
  std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
  SearchGoal goal = SearchGoal::best;
};

struct PartitionSearchResult {
  SearchOutcome outcome = SearchOutcome::unresolved;
  Assignment assignment;  ///< partitions numbered from 0 without holes; empty where there is none
  Seconds time;           ///< time_of(problem, assignment)
  Seconds bound;          ///< proven: no mapping takes less
  double gap = 0.0;       ///< 1 - bound / time, 0 when proven
  std::int64_t nodes = 0;
  std::int64_t states = 0;  ///< sets of finished kernels met
};

/// Finds the best mapping. An object keeps its memory between calls; use one per thread.
///
/// Times are compared after rounding to 2^-58 of the sum of all times. Of equally fast mappings the result is one in
/// which no two consecutive partitions could be joined without loss; among those, the first in the order of the search,
/// which depends on the problem alone: sets of finished kernels by least bound, then most kernels, then lowest number.
///
/// Pre: 1 to 64 kernels; acyclic; amounts finite and >= 0; no edge from a backward to a forward kernel unless mixing is
/// free; sram_alone is not more than what the kernel needs as part of a larger partition.
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
