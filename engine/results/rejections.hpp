/// Rejections: how many points of which status a search tried, for each reported point.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct SearchRejections {
  std::vector<const DatasetColumn*> axes;          ///< those that are reported, in file order
  std::vector<std::size_t> statuses;               ///< codes that occur, ok included, ascending
  std::vector<std::uint64_t> rows;                 ///< [reported point] its first row
  std::vector<std::vector<std::uint64_t>> counts;  ///< [reported point][statuses] points tried
};

/// Of the reported points whose first row is complete and kept by the filter, in file order. Pre: the file is of a
/// search.
[[nodiscard]] SearchRejections search_rejections(const DatasetReader& file, const RowFilter& filter);

/// Whether the file is of a sweep with [search].
[[nodiscard]] bool is_of_search(const DatasetReader& file);

}  // namespace dfsweep
