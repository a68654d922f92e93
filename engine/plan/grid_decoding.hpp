/// Decoding of ranges of kept points of a grid.
#pragma once

#include "engine/plan/endings.hpp"
#include "engine/plan/kept_grid.hpp"
#include "engine/plan/point_buffer.hpp"

namespace dfsweep {

/// Fills `buffer` with kept points [first, first + count). `endings`: those of the grid, or none. Thread-safe.
/// Pre: first + count <= grid.kept.
void decode_kept(const KeptGrid& grid, const Endings& endings, std::uint64_t first, std::size_t count,
                 PointBuffer& buffer);

}  // namespace dfsweep
