/// Codes of single points, sweeps of a single point, and reasons why a point has no estimate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// [code column] codes of a grid point (row-major, last axis fastest) or of a line of the point list.
[[nodiscard]] std::vector<std::uint32_t> codes_of_point(const SweepSpec& spec, std::uint64_t point);

/// PreparedSweep::reason() of one point. Pre: `prepared` was prepared with the values of `spec`.
[[nodiscard]] std::string reason_of_point(const SweepSpec& spec, const PreparedSweep& prepared, std::uint64_t point);

/// A sweep of the single point `point`, which is fast to prepare. It shares the entries of `spec`.
[[nodiscard]] SweepSpec sweep_of_point(const SweepSpec& spec, std::uint64_t point);

}  // namespace dfsweep
