/// PointBuffer: kept points as columns of codes, and what filters removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Kept points as columns, reused from block to block.
struct PointBuffer {
  std::vector<std::vector<std::uint32_t>> codes;        ///< [code column][point]
  std::vector<std::uint64_t> points;                    ///< [point] index in the grid, or line of the point list
  std::vector<std::span<const std::uint32_t>> columns;  ///< views of `codes`, set by RowSource::decode
  [[nodiscard]] PointColumns view() const { return {columns, points.size()}; }
  /// The part [first, first + count) of a buffer as columns; `storage` holds the views and must outlive the result.
  [[nodiscard]] PointColumns part(std::size_t first, std::size_t count,
                                  std::vector<std::span<const std::uint32_t>>& storage) const;
};

/// What a filter removes: kept and removed points of the sub-space of the axes it names.
struct FilterEffect {
  std::string expression;
  double kept_fraction = 1.0;  ///< of the sub-space of its own axes, before other filters
  std::uint64_t removed = 0;   ///< points of the grid that this filter removes after the filters before it
};

}  // namespace dfsweep
