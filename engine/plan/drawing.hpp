/// Drawing: the ranks of the kept points, or of the groups of a search, that a sample has.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/descent.hpp"
#include "engine/plan/grid_rows.hpp"
#include "engine/sweep/sample.hpp"

namespace dfsweep {

/// `random`: by a keyed permutation of all ranks. The other methods: each row descends through the axes; its number of
/// the design selects, at each axis, the code at that quantile of the kept points which agree with its earlier choices.
/// So every row is a kept point, the points are uniformly distributed over the kept ones, and an axis without filters
/// has the even distribution of the design. Ranks that are drawn twice move to the next free ones.
///
/// With continuous ranges each row has its own number of the last axis; the other axes may repeat.
///
/// Ranks are distinct and in no particular order. `rows` groups points by the strata of the sample, if it has any.
/// Throws UserError if there are fewer points than the sample needs. Pre: sample.count.
[[nodiscard]] std::vector<std::uint64_t> drawn_ranks(const GridRows& rows, Unit unit, const Sample& sample);

}  // namespace dfsweep
