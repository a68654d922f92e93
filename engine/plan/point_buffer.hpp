/// PointBuffer: kept points as columns of codes; FilterEffect: number of points that filters remove.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Kept points as columns; reused for the next block.
struct PointBuffer {
  std::vector<std::vector<std::uint32_t>> codes;        ///< [code column][point]
  std::vector<std::uint64_t> points;                    ///< [point] index in the grid, or line of the point list
  std::vector<std::span<const std::uint32_t>> columns;  ///< views of `codes`, set by RowSource::decode
  [[nodiscard]] PointColumns view() const { return {columns, points.size()}; }
  /// A view of points [first, first + count); `storage` holds the column views and must outlive the result.
  [[nodiscard]] PointColumns part(std::size_t first, std::size_t count,
                                  std::vector<std::span<const std::uint32_t>>& storage) const;
};

/// How many points a filter keeps and removes.
struct FilterEffect {
  std::string expression;
  double kept_fraction = 1.0;  ///< in the sub-space of its axes, without other filters
  std::uint64_t removed = 0;   ///< grid points that pass all earlier filters and are removed by this one
};

}  // namespace dfsweep
