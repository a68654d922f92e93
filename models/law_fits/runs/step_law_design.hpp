/// Design of the released step law runs: 33 groups and nominal grids, for simulations without given runs.
#pragma once

#include "models/law_fits/runs/runs.hpp"

namespace dfsweep::law_fits {

/// 17 dense groups of mostly 12 learning rates x 10 batches and 16 groups of four MoE recipes with 9 x 5; the few runs
/// missing in the released grids are included. All losses are 1. Source: the released tables, arXiv 2503.04715.
[[nodiscard]] GroupedRuns step_law_design();

}  // namespace dfsweep::law_fits
