/// User graphs: decoding of entries of kind "graph".
#pragma once

#include "models/dataflow/workload.hpp"

namespace dfsweep {

/// Fills graph, layers and boundary_words of `decoded` from an entry as decode_workload describes, and adds problems.
void decode_graph(const Entry& entry, DecodedWorkload& decoded);

}  // namespace dfsweep
