/// Nearest miss: for every status that is not ok, how many rows have it, and which of them is nearest to a feasible
/// one.
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
  std::uint64_t point = 0;  ///< of the nearest miss; where nothing tells which that is, of the first row
  bool is_nearest = false;  ///< whether `point` has the least shortfall of these rows
  std::string reason;       ///< why that point has no estimate; left empty here
};

/// By status code, those that occur; rows that are missing do not count. `shortfall`: the metric of that name is the
/// least at the nearest miss (see Estimator::shortfall); empty, or not in the file: the first row stands for all.
[[nodiscard]] std::vector<NearestMiss> nearest_misses(const DatasetReader& file, const RowFilter& filter,
                                                      std::string_view shortfall);

}  // namespace dfsweep
