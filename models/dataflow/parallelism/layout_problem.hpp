/// Layout problem: why a point has no layout.
#pragma once

#include <string>

#include "models/dataflow/parallelism/layout.hpp"

namespace dfsweep::dataflow {

/// The contradicting parameters, with their numbers. Pre: layout_of(request, workload, convention) is a contradiction.
[[nodiscard]] std::string layout_problem(const LayoutRequest& request, const Workload& workload,
                                         const Convention& convention);

}  // namespace dfsweep::dataflow
