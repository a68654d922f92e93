/// Mapping: the partition of each kernel of a graph, and the rules for valid assignments.
#pragma once

#include <string>
#include <vector>

#include "models/dataflow/workload/graph.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep::dataflow {

/// [kernel] Partition of every kernel; partitions run in ascending order.
using Assignment = std::vector<std::size_t>;

/// One kernel per partition, in the topological order with the lowest kernels first. Pre: the graph is valid.
[[nodiscard]] Assignment kernel_by_kernel(const Graph& graph);
[[nodiscard]] Assignment single_partition(const Graph& graph);

/// Where backward kernels may go.
enum class PhaseOrder : std::uint8_t {
  free,       ///< anywhere that the edges allow
  separate,   ///< in separate partitions after all forward kernels
  one_mixed,  ///< as separate, but the last forward partition may also have backward kernels
  halves,  ///< forward kernels in the first half of the partitions, backward kernels in the second; with an odd number
           ///< the middle one may have both. [dfmodel] section 5.2
};

struct MappingLimits {
  double partitions = 0.0;      ///< exact number of non-empty partitions; 0: any number
  double max_partitions = 0.0;  ///< 0: any number
  PhaseOrder phase_order = PhaseOrder::free;
};

/// Highest used partition plus one.
[[nodiscard]] std::size_t partition_count(const Assignment& assignment);

/// [partition] Kernels of each non-empty partition in ascending order.
[[nodiscard]] std::vector<std::vector<std::size_t>> kernels_of_partitions(const Assignment& assignment);

/// Why an assignment is invalid; empty: valid. Checks one partition per kernel, no edge to an earlier partition, and
/// the limits.
[[nodiscard]] std::string mapping_problem(const Graph& graph, const Assignment& assignment,
                                          const MappingLimits& limits);

/// An assignment given by the user: a list `assignment` of partition numbers from 0 in the order of the kernels, or a
/// table `assignment` with a number for every kernel name.
struct GivenMapping {
  std::vector<double> by_position;
  std::vector<std::pair<std::string, double>> by_name;
};
[[nodiscard]] Decoded<GivenMapping> decode_mapping(const Entry& entry);

/// The assignment for a graph; empty where the kernels do not match.
[[nodiscard]] Assignment assignment_for(const Graph& graph, const GivenMapping& mapping);

}  // namespace dfsweep::dataflow
