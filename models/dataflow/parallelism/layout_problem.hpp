/// Why a point has no layout, in words.
#pragma once

#include <string>

#include "models/dataflow/parallelism/layout.hpp"

namespace dfsweep::dataflow {

/// What contradicts what, with the numbers of the point. Pre: layout_of(request, workload, convention) is a
/// contradiction.
[[nodiscard]] std::string layout_problem(const LayoutRequest& request, const Workload& workload,
                                         const Convention& convention);

}  // namespace dfsweep::dataflow
