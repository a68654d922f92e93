/// The best rows of a metric, overall or for every combination of values of some parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct BestQuestion {
  const DatasetColumn* metric = nullptr;
  Better direction = Better::lower;      ///< not neither
  std::vector<const DatasetColumn*> by;  ///< empty: one group of all rows
  std::size_t top = 1;                   ///< rows per group
  bool ok_only = true;                   ///< rows with another status do not count
};

/// Rows in order: groups by the values of `by` ascending (labels in table order), best first in each; equal values by
/// row, which is by point.
struct BestRows {
  std::vector<std::uint64_t> rows;
  RowCounts counts;
};
[[nodiscard]] BestRows find_best(const DatasetReader& file, const BestQuestion& question, const RowFilter& filter);

}  // namespace dfsweep
