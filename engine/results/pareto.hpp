/// The Pareto front of two or more metrics: the non-dominated rows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct ParetoQuestion {
  std::vector<std::pair<const DatasetColumn*, Better>> metrics;  ///< at least two; directions are lower or higher
  bool ok_only = true;                                           ///< ignore rows with another status
};

/// Rows from the best to the worst value of the first metric. Of rows with equal values the first is kept.
struct ParetoRows {
  std::vector<std::uint64_t> rows;
  RowCounts counts;
};
[[nodiscard]] ParetoRows find_pareto(const DatasetReader& file, const ParetoQuestion& question,
                                     const RowFilter& filter);

}  // namespace dfsweep
