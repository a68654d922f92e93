/// Best mapping: the proven fastest assignment of kernels to partitions for a sharded workload on a system.
#pragma once

#include <optional>

#include "models/dataflow/cost/rates.hpp"
#include "models/dataflow/mapping/partition_setting.hpp"
#include "models/dataflow/search/partition_search.hpp"

namespace dfsweep::dataflow {

/// Partitions that a search may look at by default; what stops there is reported with its gap.
inline constexpr std::int64_t default_search_nodes = 20'000'000;

struct BestMapping {
  SearchOutcome outcome = SearchOutcome::infeasible;
  Assignment assignment;  ///< empty where there is none
  Seconds time;           ///< of one pass over the graph
  double num_tile = 1.0;
  double gap = 0.0;       ///< proven relative distance from the optimum
  std::string problem;    ///< why there is none, or why none was looked for; empty: there is one
  bool capacity = false;  ///< with a problem: the chip has too little SRAM or DRAM even kernel by kernel
};

/// No mapping, and why.
[[nodiscard]] BestMapping no_mapping_because(std::string problem);

/// The rules for passes and counts that limits ask of a partition problem; nothing where they contradict each other or
/// where the phase order is `halves`.
[[nodiscard]] std::optional<PartitionSetting> search_setting(const MappingLimits& limits);

/// The search is exact over assignments, numbers of tiles (the request's, or all divisors in the cycle model) and the
/// place of the weights; the sharding of `model` is given. Of equally fast ones the first in the order: weights
/// resident before read, fewest tiles, then as PartitionSearch.
/// `request.assignment` is ignored; phase order `halves` is searched for as a fixed mapping only.
/// Pre: the layout is possible.
[[nodiscard]] BestMapping best_mapping(const PartitionModel& model, const Layout& layout, const StepInputs& inputs,
                                       const hardware::Device& device, const MappingRequest& request,
                                       std::int64_t node_limit = default_search_nodes);

}  // namespace dfsweep::dataflow
