/// The best rows by a metric, overall or for every combination of values of some parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct BestQuestion {
  const DatasetColumn* metric = nullptr;
  Better direction = Better::lower;      ///< lower or higher
  std::vector<const DatasetColumn*> by;  ///< empty: one group of all rows
  std::size_t top = 1;                   ///< rows per group
  bool ok_only = true;                   ///< ignore rows with another status
};

/// Rows sorted by the values of `by` (labels in table order), then best first; equal values by row index.
struct BestRows {
  std::vector<std::uint64_t> rows;
  RowCounts counts;
};
[[nodiscard]] BestRows find_best(const DatasetReader& file, const BestQuestion& question, const RowFilter& filter);

}  // namespace dfsweep
