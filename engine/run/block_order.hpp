/// The order in which the blocks of a run are evaluated.
#pragma once

#include <vector>

#include "engine/plan/plan.hpp"

namespace dfsweep {

/// The same blocks in an order that spreads any part of them evenly: expensive blocks come in clusters, and a time left
/// that is judged by the first blocks would be that of their cluster.
[[nodiscard]] std::vector<BlockId> spread_evenly(const std::vector<BlockId>& blocks);

/// Spread evenly; but blocks of cheap points that fill pages are written one after the other, which disks like best.
[[nodiscard]] std::vector<BlockId> in_order_of_evaluation(const Plan& plan, const std::vector<BlockId>& blocks);

}  // namespace dfsweep
