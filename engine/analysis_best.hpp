/// The best rows of a metric, overall or for every combination of values of some parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/analysis.hpp"

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
  std::uint64_t considered = 0;  ///< rows that passed the filter
  std::uint64_t not_ok = 0;      ///< of these, left out because their status is not ok
  std::uint64_t no_value = 0;    ///< of the ok ones, without a value of the metric
  std::size_t groups = 0;        ///< combinations with at least one row to rank
};
[[nodiscard]] BestRows find_best(const DatasetReader& file, const BestQuestion& question, const RowFilter& filter);

}  // namespace dfsweep
