/// Rejections: number of evaluated points of a search by status, for each reported point.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct SearchRejections {
  std::vector<const DatasetColumn*> axes;          ///< reported axes, in file order
  std::vector<std::size_t> statuses;               ///< status codes that occur, ok included, ascending
  std::vector<std::uint64_t> rows;                 ///< [reported point] index of its first row
  std::vector<std::vector<std::uint64_t>> counts;  ///< [reported point][statuses] number of evaluated points
};

/// Reported points whose first row is complete and kept by the filter, in file order. Pre: is_of_search(file).
[[nodiscard]] SearchRejections search_rejections(const DatasetReader& file, const RowFilter& filter);

/// Whether the sweep of the file has a [search].
[[nodiscard]] bool is_of_search(const DatasetReader& file);

}  // namespace dfsweep
