/// Other mappings: step times of neighbours of a mapping.
#pragma once

#include "models/dataflow/explain/parts.hpp"

namespace dfsweep::dataflow {

/// Compares these neighbours; sharding, phase order and capacities stay unchanged:
///   * the fastest mapping with one kernel moved to another partition (same number of tiles);
///   * the proven optimum with one partition less and one more;
///   * for a given mapping, the optimum under the limits of the point;
///   * one partition per kernel.
/// The next best is the fastest neighbour that is slower than this mapping. `request`: that of the point; its
/// assignment is ignored, and its number of tiles is used only where the user gave it.
[[nodiscard]] Explanation explain_other_mappings(const ExplainedMapping& at, const MappingRequest& request);

}  // namespace dfsweep::dataflow
