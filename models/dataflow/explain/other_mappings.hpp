/// Other mappings: what the choices next to a mapping would cost.
#pragma once

#include "models/dataflow/explain/parts.hpp"

namespace dfsweep::dataflow {

/// Which neighbours are looked at, everything else of the point (sharding, phase order, capacities) as it is:
///   * the fastest of all that put one kernel into another of the partitions (as many tiles as here);
///   * the proven best with one partition less and with one more;
///   * for a mapping that was given, the best under the point's own limits;
///   * kernel by kernel.
/// The next best is the fastest of them that is not as fast as this one. `request`: of the point; its assignment and
/// number of tiles are not used but where the user gave the latter.
[[nodiscard]] Explanation explain_other_mappings(const ExplainedMapping& at, const MappingRequest& request);

}  // namespace dfsweep::dataflow
