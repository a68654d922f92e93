/// Mapping: which partition each kernel of a graph is executed in, and when such an assignment is legal.
#pragma once

#include <string>
#include <vector>

#include "models/dataflow/workload/graph.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep::dataflow {

/// Partition of every kernel, [kernel]; partitions are executed in ascending order, one after the other.
using Assignment = std::vector<std::size_t>;

/// Every kernel alone, in the topological order with the lowest kernels first. Pre: the graph is valid.
[[nodiscard]] Assignment kernel_by_kernel(const Graph& graph);
[[nodiscard]] Assignment single_partition(const Graph& graph);

/// Where backward kernels may go.
enum class PhaseOrder : std::uint8_t {
  free,       ///< anywhere the edges allow
  separate,   ///< in partitions of their own, after all forward kernels
  one_mixed,  ///< as separate, but the last forward partition may hold backward kernels too
  halves,  ///< forward kernels in the first half of the partitions, backward kernels in the second; with an odd number
           ///< the middle one may hold both. [dfmodel] section 5.2
};

struct MappingLimits {
  double partitions = 0.0;      ///< non-empty partitions wanted exactly; 0: any number
  double max_partitions = 0.0;  ///< 0: any number
  PhaseOrder phase_order = PhaseOrder::free;
};

/// Number of the highest partition that is used, plus one.
[[nodiscard]] std::size_t partition_count(const Assignment& assignment);

/// Kernels of each non-empty partition in order, [partition] ascending kernels.
[[nodiscard]] std::vector<std::vector<std::size_t>> kernels_of_partitions(const Assignment& assignment);

/// Why an assignment may not be used, in words; empty: it may. Checked: one partition per kernel, no edge to an earlier
/// partition, the limits.
[[nodiscard]] std::string mapping_problem(const Graph& graph, const Assignment& assignment,
                                          const MappingLimits& limits);

/// An assignment that a user wrote: list `assignment` of partition numbers from 0 in the order of the kernels, or table
/// `assignment` with a number for every kernel by name.
struct GivenMapping {
  std::vector<double> by_position;
  std::vector<std::pair<std::string, double>> by_name;
};
[[nodiscard]] Decoded<GivenMapping> decode_mapping(const Entry& entry);

/// The assignment for a graph, or empty where kernels and names do not match.
[[nodiscard]] Assignment assignment_for(const Graph& graph, const GivenMapping& mapping);

}  // namespace dfsweep::dataflow
