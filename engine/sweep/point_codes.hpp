/// Codes of single points: what a number of a point means, and why a point has no estimate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Codes of a point of the grid (row-major, last axis fastest) or of a line of the point list: [code column].
[[nodiscard]] std::vector<std::uint32_t> codes_of_point(const SweepSpec& spec, std::uint64_t point);

/// PreparedSweep::reason of one point. Pre: `prepared` was prepared with the values of `spec`.
[[nodiscard]] std::string reason_of_point(const SweepSpec& spec, const PreparedSweep& prepared, std::uint64_t point);

/// The sweep whose only point is `point`: it is prepared at once, whatever the size of `spec`. The result refers to
/// entries that `spec` keeps alive as well.
[[nodiscard]] SweepSpec sweep_of_point(const SweepSpec& spec, std::uint64_t point);

}  // namespace dfsweep
