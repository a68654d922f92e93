/// Nearest miss: for every status other than ok, the number of rows, and the row that is nearest to feasible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct NearestMiss {
  std::string status;
  std::uint64_t rows = 0;
  std::uint64_t point = 0;  ///< point of the nearest miss, or of the first row if the shortfall is unknown
  bool is_nearest = false;  ///< whether `point` is the nearest miss
  std::string reason;       ///< why that point has no estimate; filled by the caller
};

/// Statuses that occur, by code; missing rows are ignored. `shortfall`: the metric that is least at the nearest miss
/// (see Estimator::shortfall); if it is empty or not in the file, the first row is used.
[[nodiscard]] std::vector<NearestMiss> nearest_misses(const DatasetReader& file, const RowFilter& filter,
                                                      std::string_view shortfall);

}  // namespace dfsweep
