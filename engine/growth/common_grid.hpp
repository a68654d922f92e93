/// The points that a sweep and a former one of the same estimator both have, as a grid.
#pragma once

#include <optional>

#include "engine/growth/code_mapping.hpp"
#include "engine/plan/grid_rows.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// The grid of those values of the axes of `grown` that both sweeps have, with the filters of both; nothing if it has
/// no point. Counts without enumerating points. Pre: both are grids.
[[nodiscard]] std::optional<GridRows> common_grid(const SweepSpec& former, const SweepSpec& grown,
                                                  const CodeMapping& mapping);

}  // namespace dfsweep
