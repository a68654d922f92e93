/// Why a point has no layout, in words.
#pragma once

#include <string>

#include "models/dataflow/layout.hpp"

namespace dfsweep {

/// What contradicts what, with the numbers of the point. Pre: layout_of(request, workload, convention) is a
/// contradiction.
[[nodiscard]] std::string layout_problem(const LayoutRequest& request, const Workload& workload,
                                         const Convention& convention);

}  // namespace dfsweep
