/// The Pareto front of two or more metrics: rows that no other row beats in one metric without losing in another.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct ParetoQuestion {
  std::vector<std::pair<const DatasetColumn*, Better>> metrics;  ///< at least two; directions are not neither
  bool ok_only = true;                                           ///< rows with another status do not count
};

/// Rows ordered from the best to the worst of the first metric. Of rows with equal values the lowest is kept.
struct ParetoRows {
  std::vector<std::uint64_t> rows;
  RowCounts counts;
};
[[nodiscard]] ParetoRows find_pareto(const DatasetReader& file, const ParetoQuestion& question,
                                     const RowFilter& filter);

}  // namespace dfsweep
