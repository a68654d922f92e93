/// Best mapping: the provably fastest assignment of kernels to partitions for a sharded workload on a system.
#pragma once

#include <optional>
#include <vector>

#include "models/dataflow/cost/rates.hpp"
#include "models/dataflow/mapping/partition_setting.hpp"
#include "models/dataflow/search/partition_search.hpp"

namespace dfsweep::dataflow {

/// Default limit on the partitions that a search visits; a search that reaches it reports its optimality gap.
inline constexpr std::int64_t default_search_nodes = 20'000'000;

struct BestMapping {
  SearchOutcome outcome = SearchOutcome::infeasible;
  Assignment assignment;  ///< empty where no mapping was found
  Seconds time;           ///< of one pass over the graph
  double num_tile = 1.0;
  double gap = 0.0;        ///< proven relative distance from the optimum
  std::int64_t nodes = 0;  ///< partitions that the search visited
  std::string problem;     ///< why no mapping was found or searched; empty: found
  bool capacity = false;   ///< with a problem: SRAM or DRAM is too small even for one kernel per partition
};

/// A result without mapping, with the reason.
[[nodiscard]] BestMapping no_mapping_because(std::string problem);

/// The pass and count rules of a partition problem for these limits; empty where they contradict each other or the
/// phase order is `halves`.
[[nodiscard]] std::optional<PartitionSetting> search_setting(const MappingLimits& limits);

/// The settings to search, one for each place of the weights and number of tiles: that of the request, else the most,
/// or all divisors in the cycle model.
[[nodiscard]] std::vector<PartitionSetting> searched_settings(const PartitionModel& model, const StepInputs& inputs,
                                                              const MappingRequest& request,
                                                              const PartitionSetting& common);

/// The search is exact over assignments, numbers of tiles (that of the request, or all divisors in the cycle model) and
/// the place of the weights, for the sharding of `model`. Ties: resident weights first, then fewest tiles, then the
/// order of PartitionSearch.
/// `request.assignment` is ignored; phase order `halves` is not supported.
/// Pre: the layout is possible.
[[nodiscard]] BestMapping best_mapping(const PartitionModel& model, const Layout& layout, const StepInputs& inputs,
                                       const Device& device, const MappingRequest& request,
                                       std::int64_t node_limit = default_search_nodes);

}  // namespace dfsweep::dataflow
