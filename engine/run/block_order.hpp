/// The order in which the blocks of a run are evaluated.
#pragma once

#include <vector>

#include "engine/plan/plan.hpp"

namespace dfsweep {

/// A permutation of which every prefix is spread evenly over all blocks. Expensive blocks come in clusters, so an
/// estimate of the remaining time from consecutive blocks would be biased.
[[nodiscard]] std::vector<BlockId> spread_evenly(const std::vector<BlockId>& blocks);

/// Spread evenly, but in file order for page-aligned blocks of cheap points, because sequential writes are faster.
[[nodiscard]] std::vector<BlockId> in_order_of_evaluation(const Plan& plan, const std::vector<BlockId>& blocks);

}  // namespace dfsweep
